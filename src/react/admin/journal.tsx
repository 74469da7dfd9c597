import { useState } from "react";
import type { ReactNode } from "react";
import type { AdminJournal, AdminJournalEntry, AdminUsage } from "../../wire/admin.ts";
import { Icon } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { FilterBar, toPeriod, toQuery } from "./filter-bar.tsx";
import type { Filters } from "./filter-bar.tsx";
import { toFormat } from "./format.ts";
import { Pill, SectionHead, UserLink } from "./parts.tsx";
import { PagedSheet } from "./paged-sheet.tsx";
import type { Tone } from "./parts.tsx";
import { useLoad, usePages } from "./use-load.ts";

const tones: Readonly<Record<AdminJournalEntry["status"], Tone>> = {
  running: "accent",
  ok: "good",
  error: "bad",
  refused: "warn",
  lost: "warn",
};

/** Every call of a model. */
export function Journal({ userId }: { readonly userId: string | null }): ReactNode {
  const { words, baseUrl } = useAdmin();
  const [filters, setFilters] = useState<Filters>(userId === null ? {} : { userId });
  const query = toQuery(filters);
  const pages = usePages<AdminJournal, AdminJournalEntry>({
    path: query === "" ? "/admin/journal" : `/admin/journal?${query}`,
    toItems: ({ entries }) => entries,
  });
  const usage = useLoad<AdminUsage>("/admin/usage").value;
  const statuses = Object.entries(words.journal.statuses);
  return (
    <>
      <SectionHead title={words.journal.title} about={words.journal.about}>
        <a className="cs-button" href={`${baseUrl.replace(/\/+$/, "")}/admin/journal.csv?${query}`} download>
          <Icon name="down" />
          {words.journal.download}
        </a>
      </SectionHead>
      <FilterBar
        filters={filters}
        onFilters={setFilters}
        fields={[
          {
            name: "userId",
            label: words.journal.user,
            kind: "text",
            isUser: true,
            known: usage?.users.map(({ name }) => name).filter((name) => name !== "") ?? [],
          },
          {
            name: "status",
            label: words.journal.status,
            kind: "choice",
            choices: [["", words.journal.anyStatus], ["trouble", words.journal.trouble], ...statuses],
          },
          {
            name: "model",
            label: words.journal.model,
            kind: "text",
            known: usage?.models.map(({ name }) => name) ?? [],
          },
          {
            name: "endpoint",
            label: words.journal.endpoint,
            kind: "text",
            known: usage?.endpoints.map(({ name }) => name) ?? [],
          },
          ...toPeriod(words),
        ]}
      />
      <PagedSheet
        label={words.journal.title}
        pages={pages}
        empty={words.journal.empty}
        columns={[
          { title: words.journal.time },
          { title: words.journal.user },
          { title: words.journal.model, kind: "roomy" },
          { title: words.journal.status },
          { title: words.journal.tokens, kind: "roomy number" },
          { title: words.journal.cost, kind: "number" },
          { title: words.journal.latency, kind: "roomy number" },
        ]}
      >
        {(entry) => <JournalRow key={entry.requestId} entry={entry} />}
      </PagedSheet>
    </>
  );
}

function JournalRow({ entry }: { readonly entry: AdminJournalEntry }): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const { at, userId, model, endpoint, status, code, attempts, inputTokens, outputTokens, costMicros, latencyMs } =
    entry;
  const count = (tokens: number | null): string => (tokens === null ? words.noTime : format.number(tokens));
  return (
    <tr>
      <td className="cs-nowrap">
        <time dateTime={at}>{format.time(at)}</time>
      </td>
      <td>
        <UserLink userId={userId} />
      </td>
      <td className="cs-roomy">
        {model}
        <span className="cs-sub">{endpoint}</span>
      </td>
      <td>
        <Pill tone={tones[status]}>{words.journal.statuses[status]}</Pill>
        {(code !== null || attempts > 1) && (
          <span className="cs-sub">
            {code !== null && <code>{code}</code>} {attempts > 1 && words.journal.attempts(attempts)}
          </span>
        )}
      </td>
      <td className="cs-roomy cs-number">
        {count(inputTokens)} / {count(outputTokens)}
      </td>
      <td className="cs-number">{costMicros === null ? words.noTime : format.cost(costMicros)}</td>
      <td className="cs-roomy cs-number">{latencyMs === null ? words.noTime : format.duration(latencyMs)}</td>
    </tr>
  );
}
