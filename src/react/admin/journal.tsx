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
import type { SheetRow } from "./sheet.tsx";
import { useLoad, usePages } from "./use-load.ts";
import type { AdminWords } from "./words/en.ts";

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
          { title: words.journal.time, isPlain: true },
          { title: words.journal.user, isPlain: true },
          { title: words.journal.model, isPlain: true },
          { title: words.journal.status, isPlain: true },
          { title: words.journal.tokens, kind: "number", isWide: true },
          { title: words.journal.cost, kind: "number" },
          { title: words.journal.latency, kind: "number" },
        ]}
        toRow={(entry) => toRow(entry, words)}
      />
    </>
  );
}

function toRow(entry: AdminJournalEntry, words: AdminWords): SheetRow {
  const format = toFormat(words);
  const { at, userId, model, endpoint, status, code, attempts, inputTokens, outputTokens, costMicros, latencyMs } =
    entry;
  const count = (tokens: number | null): string => (tokens === null ? words.noTime : format.number(tokens));
  return {
    key: entry.requestId,
    cells: [
      <time key="at" dateTime={at}>
        {format.time(at)}
      </time>,
      <UserLink key="user" userId={userId} />,
      <>
        {model}
        <span className="cs-sub">{endpoint}</span>
      </>,
      <>
        <Pill tone={tones[status]}>{words.journal.statuses[status]}</Pill>
        {(code !== null || attempts > 1) && (
          <span className="cs-sub">
            {code !== null && <code>{code}</code>} {attempts > 1 && words.journal.attempts(attempts)}
          </span>
        )}
      </>,
      `${count(inputTokens)} / ${count(outputTokens)}`,
      costMicros === null ? words.noTime : format.cost(costMicros),
      latencyMs === null ? words.noTime : format.duration(latencyMs),
    ],
  };
}
