// The host application: its pages, its data and its sign-in, with the assistant mounted beside them. It knows the
// assistant as any application would: by the one function that answers requests.
import { Hono, type Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { OfficeDatabase } from "./database.ts";
import type { Live } from "./live.ts";
import { findCustomers } from "./modules/find-customer.ts";
import { findInvoices } from "./modules/find-invoice.ts";
import { findTasks } from "./modules/find-task.ts";
import { adminPage, contentSecurityPolicy, embedPage, officePage, signInPage } from "./pages.ts";
import { people } from "./people.ts";
import type { SignIn, SignIns } from "./sign-in.ts";
import { serveAssets } from "./assets.ts";

export interface OfficeOptions {
  readonly database: OfficeDatabase;
  readonly signIns: SignIns;
  readonly live: Live;
  readonly assistant: { fetch(request: Request): Promise<Response> };
  /** The folder of the built page. */
  readonly assets: string;
}

export function createOffice(options: OfficeOptions): Hono {
  const { database, signIns, live, assistant, assets } = options;
  const { pool } = database;
  const app = new Hono();

  app.use(async (c, next) => {
    const url = new URL(c.req.url);
    // The two names have two cookie jars: there is one address.
    if (url.hostname === "127.0.0.1" && c.req.method === "GET") {
      url.hostname = "localhost";
      return c.redirect(url.href, 302);
    }
    await next();
    c.header("x-content-type-options", "nosniff");
    c.header("referrer-policy", "same-origin");
    c.header("content-security-policy", contentSecurityPolicy);
  });

  app.mount("/assistant", assistant.fetch);
  app.get("/assets/:name", serveAssets(assets));

  app.get("/", async (c) => ((await signIns.of(c.req.raw)) === null ? c.redirect("/sign-in") : c.html(officePage())));
  app.get("/sign-in", (c) => c.html(signInPage(c.req.query("problem") === undefined ? null : couldNot)));
  app.get("/admin", async (c) => {
    const signIn = await signIns.of(c.req.raw);
    if (signIn === null) return c.redirect("/sign-in");
    return mayManage(signIn) ? c.html(adminPage(signIn, await signIns.names())) : c.redirect("/");
  });
  app.get("/embed", async (c) => {
    const signIn = await signIns.of(c.req.raw);
    return signIn === null ? c.redirect("/sign-in") : c.html(embedPage(signIn));
  });

  const form = (act: (c: Context) => Promise<Response>, to: string) => async (c: Context) => {
    if (!isOwnPage(c)) return c.text("This page's own forms only.", 403);
    return leadTo(await act(c), to);
  };
  app.post(
    "/sign-in/:who",
    form((c) => signIns.signIn(c.req.raw, c.req.param("who") ?? ""), "/"),
  );
  app.post(
    "/sign-out",
    form((c) => signIns.signOut(c.req.raw), "/sign-in"),
  );
  app.post(
    "/act-as/stop",
    form((c) => signIns.stopActing(c.req.raw), "/"),
  );
  app.post(
    "/act-as/:who",
    form((c) => signIns.actAs(c.req.raw, c.req.param("who") ?? ""), "/"),
  );

  app.get("/data", async (c) => {
    const signIn = await signIns.of(c.req.raw);
    if (signIn === null) return c.json({ problem: "signed out" }, 401);
    const [customers, invoices, tasks] = await Promise.all([
      findCustomers(pool, undefined),
      findInvoices(pool),
      findTasks(pool),
    ]);
    c.header("cache-control", "no-store");
    return c.json({ me: describe(signIn), customers, invoices, tasks });
  });

  app.post("/invoices/:number/amount", async (c) => {
    const signIn = await signIns.of(c.req.raw);
    if (signIn === null || !isOwnPage(c)) return c.json({ problem: "Sign in first." }, 403);
    if (!signIn.person.permissions.includes("billing.write"))
      return c.json({ problem: "You may only read here." }, 403);
    const body: unknown = await c.req.json().catch(() => null);
    const cents = body !== null && typeof body === "object" && "amountCents" in body ? body.amountCents : null;
    if (typeof cents !== "number" || !Number.isSafeInteger(cents) || cents < 1 || cents > 1e11) {
      return c.json({ problem: "That is no amount." }, 400);
    }
    const { rowCount } = await pool.query(
      "update invoices set amount_cents = $2, version = version + 1 where number = $1 and status = 'open'",
      [c.req.param("number"), cents],
    );
    return rowCount === 1 ? c.json({ changed: true }) : c.json({ problem: "This invoice is not open." }, 409);
  });

  app.get("/live", async (c) => {
    if ((await signIns.of(c.req.raw)) === null) return c.text("signed out", 401);
    return streamSSE(c, async (stream) => {
      const stop = live.listen((change) => void stream.writeSSE({ data: change }));
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      stop();
    });
  });

  return app;
}

const couldNot = "That did not work. Please try again.";

/** The cookies of an answer, and the next page. */
function leadTo(answer: Response, to: string): Response {
  const headers = new Headers({ location: answer.ok ? to : "/sign-in?problem" });
  for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** Whether a form was sent by a page of this site. */
function isOwnPage(c: Context): boolean {
  const origin = c.req.header("origin");
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === c.req.header("host");
}

/** Whether the assistant's administration is theirs to open; who acts as somebody else has none. */
function mayManage({ person, actor }: SignIn): boolean {
  return actor === null && person.permissions.includes("assistant.manage");
}

function describe(signIn: SignIn): object {
  const { person, actor } = signIn;
  const { name, job, administrator, permissions } = person;
  return {
    name,
    job,
    mayWrite: permissions.includes("billing.write"),
    mayManage: mayManage(signIn),
    actor: actor?.name ?? null,
    mayActAs:
      administrator && actor === null
        ? people.filter((one) => one !== person).map(({ key, name: of }) => ({ key, name: of }))
        : [],
  };
}
