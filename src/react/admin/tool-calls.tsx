import { useState } from "react";
import type { ReactNode } from "react";
import type { AdminModules, AdminToolCall, AdminToolCalls } from "../../wire/admin.ts";
import { useAdmin } from "./admin-context.ts";
import { FilterBar, toPeriod, toQuery } from "./filter-bar.tsx";
import type { Filters } from "./filter-bar.tsx";
import { toFormat } from "./format.ts";
import { Pill, SectionHead, UserLink } from "./parts.tsx";
import { PagedSheet } from "./paged-sheet.tsx";
import type { SheetRow } from "./sheet.tsx";
import { useLoad, usePages } from "./use-load.ts";
import type { AdminWords } from "./words/en.ts";

/** What was done through tools: who, what, when, and how it went. */
export function ToolCalls({ userId }: { readonly userId: string | null }): ReactNode {
  const { words } = useAdmin();
  const [filters, setFilters] = useState<Filters>(userId === null ? {} : { userId });
  const query = toQuery(filters);
  const pages = usePages<AdminToolCalls, AdminToolCall>({
    path: query === "" ? "/admin/tool-calls" : `/admin/tool-calls?${query}`,
    toItems: ({ calls }) => calls,
  });
  const modules = useLoad<AdminModules>("/admin/modules").value?.modules ?? [];
  return (
    <>
      <SectionHead title={words.calls.title} about={words.calls.about} />
      <FilterBar
        filters={filters}
        onFilters={setFilters}
        fields={[
          { name: "userId", label: words.calls.user, kind: "text" },
          {
            name: "tool",
            label: words.calls.tool,
            kind: "text",
            known: modules.flatMap(({ tools }) => tools.map(({ name }) => name)),
          },
          {
            name: "step",
            label: words.calls.step,
            kind: "choice",
            choices: [["", words.calls.any], ...Object.entries(words.calls.steps)],
          },
          {
            name: "outcome",
            label: words.calls.outcome,
            kind: "choice",
            choices: [
              ["", words.calls.any],
              ["done", words.calls.done],
              ["refused", words.calls.refused],
            ],
          },
          ...toPeriod(words),
        ]}
      />
      <PagedSheet
        label={words.calls.title}
        pages={pages}
        empty={words.calls.empty}
        columns={[
          { title: words.calls.time, isPlain: true },
          { title: words.calls.user, isPlain: true },
          { title: words.calls.tool, isPlain: true, isWide: true },
          { title: words.calls.step, isPlain: true },
          { title: words.calls.outcome },
          { title: words.calls.via },
          { title: words.calls.took, kind: "number" },
        ]}
        toRow={(call) => toRow(call, words)}
      />
    </>
  );
}

function toRow(call: AdminToolCall, words: AdminWords): SheetRow {
  const format = toFormat(words);
  const { id, at, userId, tool, title, step, code, via, durationMs } = call;
  return {
    key: id,
    cells: [
      <time key="at" dateTime={at}>
        {format.time(at)}
      </time>,
      <UserLink key="user" userId={userId} />,
      <>
        {title ?? tool}
        {title !== null && (
          <span className="cs-sub">
            <code>{tool}</code>
          </span>
        )}
      </>,
      <Pill key="step" tone={step === "redeem" ? "accent" : "quiet"}>
        {words.calls.steps[step]}
      </Pill>,
      code === null ? (
        <Pill key="outcome" tone="good">
          {words.calls.done}
        </Pill>
      ) : (
        <code key="outcome">{code}</code>
      ),
      via,
      durationMs === null ? words.noTime : format.duration(durationMs),
    ],
  };
}
