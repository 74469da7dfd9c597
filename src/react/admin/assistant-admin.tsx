import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { createRequest } from "../../client/request.ts";
import { adoptingStyles } from "../adopting-styles.ts";
import { Icon } from "../icons.tsx";
import type { IconName } from "../icons.tsx";
import { base } from "../styles/base.ts";
import { AdminContext } from "./admin-context.ts";
import type { Admin } from "./admin-context.ts";
import { adminStyles } from "./admin-styles.ts";
import { chartStyles } from "./chart-styles.ts";
import { Endpoints } from "./endpoints.tsx";
import { Flags } from "./flags.tsx";
import { Journal } from "./journal.tsx";
import { Limits } from "./limits.tsx";
import { Modules } from "./modules.tsx";
import { Overview } from "./overview.tsx";
import { RunningTurns } from "./running-turns.tsx";
import { sheetStyles } from "./sheet-styles.ts";
import { sectionNames, toHash, usePlace } from "./section-hash.ts";
import type { Place, SectionName } from "./section-hash.ts";
import { ToolCalls } from "./tool-calls.tsx";
import { toWords } from "./words/words.ts";

export interface AssistantAdminProps {
  /** Where the assistant is mounted, for example `/assistant`. */
  readonly baseUrl: string;
  /** A BCP 47 tag. Default: the browser's language. */
  readonly locale?: string;
  /** Default: that of the page around, by its `color-scheme`. */
  readonly theme?: "light" | "dark";
  readonly className?: string;
  /** What people call a user; their id is shown where it says nothing. */
  readonly nameOf?: (userId: string) => string | undefined;
  /** Headers of the host's own, asked for at each request. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

const adopt = adoptingStyles([base, adminStyles, sheetStyles, chartStyles]);

const icons: Readonly<Record<SectionName, IconName>> = {
  overview: "info",
  endpoints: "arrow",
  modules: "check",
  limits: "edit",
  journal: "menu",
  calls: "sign",
  flags: "warning",
  turns: "clock",
};

/** The administrators' pages. The server decides who may open them; they keep their place in the address behind `#`. */
export function AssistantAdmin(props: AssistantAdminProps): ReactNode {
  const { baseUrl, locale, theme, className, nameOf, headers } = props;
  const place = usePlace();
  const words = useMemo(() => toWords(locale, typeof navigator === "undefined" ? null : navigator.language), [locale]);
  const asked = useRef(headers);
  asked.current = headers;
  const request = useMemo(
    () =>
      createRequest({
        baseUrl,
        fetch: (input, init) => fetch(input, init),
        headers: () => asked.current?.() ?? {},
      }),
    [baseUrl],
  );
  const [said, setSaid] = useState("");
  const say = useCallback((text: string) => setSaid(text), []);
  const named = useRef(nameOf);
  named.current = nameOf;
  const admin = useMemo<Admin>(
    () => ({ request, baseUrl, words, say, nameOf: (userId) => named.current?.(userId) }),
    [request, baseUrl, words, say],
  );
  const main = useRef<HTMLElement>(null);
  const menu = useRef<HTMLElement>(null);
  const before = useRef(place.section);
  useEffect(() => {
    // Whoever follows a link of the menu by keys goes on in the section.
    if (before.current !== place.section) main.current?.querySelector("h1")?.focus();
    before.current = place.section;
    // Where the menu is one row, it may be longer than the screen is wide.
    const row = menu.current;
    const here = row?.querySelector('[aria-current="page"]');
    if (row && here) row.scrollLeft += here.getBoundingClientRect().left - row.getBoundingClientRect().left - 24;
  }, [place.section]);

  return (
    <AdminContext value={admin}>
      <div
        ref={adopt}
        className={className === undefined ? "cs-panel cs-admin" : `cs-panel cs-admin ${className}`}
        data-theme={theme}
        lang={words.code}
      >
        <div className="cs-admin-layout">
          <nav ref={menu} className="cs-admin-nav" aria-label={words.name}>
            <ul>
              {sectionNames.map((name) => (
                <li key={name}>
                  <a href={toHash(name)} aria-current={name === place.section ? "page" : undefined}>
                    <Icon name={icons[name]} />
                    {words.sections[name]}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <section className="cs-admin-main" ref={main} aria-label={words.sections[place.section]}>
            <Section key={place.section} place={place} />
          </section>
        </div>
        <p className="cs-hidden" role="status">
          {said}
        </p>
      </div>
    </AdminContext>
  );
}

function Section({ place }: { readonly place: Place }): ReactNode {
  const { section, userId } = place;
  switch (section) {
    case "overview":
      return <Overview key={userId} userId={userId} />;
    case "endpoints":
      return <Endpoints />;
    case "modules":
      return <Modules />;
    case "limits":
      return <Limits userId={userId} />;
    case "journal":
      return <Journal key={userId} userId={userId} />;
    case "calls":
      return <ToolCalls key={userId} userId={userId} />;
    case "flags":
      return <Flags />;
    case "turns":
      return <RunningTurns />;
  }
}
