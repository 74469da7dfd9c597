import type { ReactNode } from "react";
import type { AdminUsageSum } from "../../wire/admin.ts";
import { useAdmin } from "./admin-context.ts";
import { toFormat } from "./format.ts";
import { Meter, UserLink } from "./parts.tsx";
import { toHash } from "./section-hash.ts";
import { Sheet } from "./sheet.tsx";

/** Who, or what, cost how much of the whole: those that cost most. */
export function UsageSums(props: {
  readonly title: string;
  readonly first: string;
  readonly sums: readonly (AdminUsageSum & { readonly name: string })[];
  readonly total: AdminUsageSum;
  readonly isUsers?: boolean;
}): ReactNode {
  const { words, nameOf } = useAdmin();
  const format = toFormat(words);
  const { title, first, sums, total, isUsers = false } = props;
  return (
    <div>
      <h2>{title}</h2>
      <Sheet
        label={title}
        hasRowNames
        columns={[
          { title: first },
          { title: words.overview.calls, kind: "number" },
          { title: words.overview.seriesErrors, kind: "number" },
          { title: words.journal.tokens, kind: "number" },
          { title: words.journal.cost, kind: "number" },
          { title: words.overview.share, kind: "number" },
          ...(isUsers ? [{ title: words.overview.alone, kind: "number" as const, isHidden: true }] : []),
        ]}
        rows={sums.map(({ name, calls, errors, inputTokens, outputTokens, costMicros }) => {
          const share = total.costMicros === 0 ? 0 : costMicros / total.costMicros;
          return {
            key: name,
            cells: [
              isUsers ? <UserLink key="name" userId={name} /> : name,
              format.number(calls),
              format.number(errors),
              `${format.short(inputTokens)} / ${format.short(outputTokens)}`,
              format.money(costMicros),
              <span key="share" className="cs-share">
                <Meter share={share} />
                <span>{format.percent(share)}</span>
              </span>,
              isUsers && name !== "" && (
                <a
                  key="alone"
                  href={toHash("overview", name)}
                  aria-label={words.overview.aloneOf(nameOf(name) ?? name)}
                >
                  {words.overview.alone}
                </a>
              ),
            ],
          };
        })}
      />
    </div>
  );
}
