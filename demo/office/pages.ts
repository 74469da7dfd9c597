import { html, raw } from "hono/html";
import { people } from "./people.ts";
import type { SignIn } from "./sign-in.ts";

type Html = ReturnType<typeof html>;

/** Nothing inline, nothing from elsewhere: what a strict site asks of every page, this one's included. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

function page(title: string, head: Html | "", body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/office.css" />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/** The office: its tables beside the assistant, drawn by the page's script. */
export function officePage(): Html {
  const head = html`<script type="module" src="/assets/main.js"></script>`;
  return page("Larkspur back office", head, html`<div id="office"></div>`);
}

/** The administrator's side of the assistant, drawn by a script of its own; the assistant itself refuses everybody else. */
export function adminPage(signIn: SignIn, names: Readonly<Record<string, string>>): Html {
  return page(
    "The assistant · Larkspur",
    html`<script type="module" src="/assets/admin.js"></script>`,
    html`<div class="admin">
      <header class="bar">
        <a class="brand" href="/" aria-label="Larkspur">${raw(mark)}<span>Larkspur</span></a>
        <nav class="tabs" aria-label="Office"><a href="/">Back to the office</a></nav>
        <span class="who">${signIn.person.name}</span>
      </header>
      <main id="admin" data-names="${JSON.stringify(names)}"></main>
    </div>`,
  );
}

/** The same assistant in a page without a framework: one script tag and an element. */
export function embedPage(signIn: SignIn): Html {
  return page(
    "Larkspur, one script tag",
    html`<script type="module" src="/assets/panel.js"></script>`,
    html`<div class="embed">
      <header class="bar">
        <a class="brand" href="/" aria-label="Larkspur">${raw(mark)}<span>Larkspur</span></a>
        <span class="who">${signIn.person.name}</span>
      </header>
      <main class="embed-page">
        <section class="prose">
          <h1>One script tag</h1>
          <p>
            This page has no framework and no build step of its own. The assistant beside it is a custom element, loaded
            by one script tag:
          </p>
          <pre><code>&lt;script type="module" src="/assets/panel.js"&gt;&lt;/script&gt;
&lt;countersign-panel base-url="/assistant"&gt;&lt;/countersign-panel&gt;</code></pre>
          <p>It is the same session, the same chats and the same rights as in <a href="/">the office</a>.</p>
        </section>
        <countersign-panel class="panel" base-url="/assistant"></countersign-panel>
      </main>
    </div>`,
  );
}

/** The three people, each one click away. */
export function signInPage(problem: string | null): Html {
  return page(
    "Sign in · Larkspur",
    "",
    html`<main class="sign-in">
      <div class="brand">${raw(mark)}<span>Larkspur</span></div>
      <h1>Who are you today?</h1>
      <p>A back office with invented customers. Pick a person; no password is needed here.</p>
      ${problem === null ? "" : html`<p class="problem" role="alert">${problem}</p>`}
      <ul class="people">
        ${people.map(
          (person) =>
            html`<li>
              <form method="post" action="/sign-in/${person.key}">
                <button type="submit">
                  <span class="face face-${person.key}" aria-hidden="true">${initials(person.name)}</span>
                  <span class="person-text">
                    <strong>${person.name}</strong>
                    <span class="job">${person.job}</span>
                    <span class="rights">${person.rights}</span>
                  </span>
                </button>
              </form>
            </li>`,
        )}
      </ul>
    </main>`,
  );
}

function initials(name: string): string {
  return name
    .split(" ")
    .map((word) => word.charAt(0))
    .join("");
}

const mark = `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2c2.6 3 2.6 5.4 0 8-2.6-2.6-2.6-5 0-8Zm-9 8c3.7-.5 5.7 1 6.4 4.6C5.7 15.2 3.7 13.6 3 10Zm18 0c-.7 3.6-2.7 5.2-6.4 4.6C15.300 11 17.300 9.500 21 10Zm-10 3h2v9h-2v-9Z"/></svg>`;
