import { useState } from "react";
import type { ReactNode } from "react";
import type { AdminOverview, AdminUsage, AdminUsageSum } from "../../wire/admin.ts";
import { useAdmin } from "./admin-context.ts";
import { DayChart } from "./day-chart.tsx";
import { toFormat } from "./format.ts";
import { Meter, Nothing, Ready, SectionHead, Segments, Sheet, Told, UserLink } from "./parts.tsx";
import { toHash } from "./section-hash.ts";
import { useLoad } from "./use-load.ts";

const spans = [7, 30, 90] as const;
type Span = (typeof spans)[number];
const dayMs = 86_400_000;

/** How things stand, and what they came to. */
export function Overview(): ReactNode {
  const { words } = useAdmin();
  const [span, setSpan] = useState<Span>(30);
  const [today] = useState(() => Date.now());
  const from = new Date(today - (span - 1) * dayMs).toISOString().slice(0, 10);
  const to = new Date(today).toISOString().slice(0, 10);
  const now = useLoad<AdminOverview>("/admin/overview");
  const usage = useLoad<AdminUsage>(`/admin/usage?from=${from}&to=${to}`);
  return (
    <>
      <SectionHead title={words.overview.title} about={words.overview.about}>
        <Segments
          label={words.overview.period}
          name="cs-period"
          value={span}
          choices={spans.map((days) => [days, words.overview.days(days)])}
          onChange={setSpan}
        />
      </SectionHead>
      <Ready loaded={now}>
        {(overview) => (
          <>
            <Standing overview={overview} />
            <Figures overview={overview} usage={usage.value} span={span} />
          </>
        )}
      </Ready>
      <Ready loaded={usage}>{(value) => <Usage usage={value} />}</Ready>
    </>
  );
}

/** What an administrator should know at once. */
function Standing({ overview }: { readonly overview: AdminOverview }): ReactNode {
  const { words } = useAdmin();
  const { assistantOn, aiOn, model, suspendedUsers } = overview;
  const told: ReactNode[] = [];
  if (!assistantOn || !aiOn) {
    told.push(
      <Told key="off" tone="warn">
        <p>{assistantOn ? words.overview.aiOff : words.overview.assistantOff}</p>
        <a href={toHash("limits")}>{words.overview.toSwitches}</a>
      </Told>,
    );
  }
  if (model === null) {
    told.push(
      <Told key="model" tone="warn">
        <p>{words.overview.noModel}</p>
        <a href={toHash("endpoints")}>{words.overview.show}</a>
      </Told>,
    );
  } else if (model.demo) told.push(<Told key="model">{words.overview.demo(model.name)}</Told>);
  if (suspendedUsers > 0) {
    told.push(
      <Told key="flags" tone="warn">
        <p>{words.overview.suspended(suspendedUsers)}</p>
        <a href={toHash("flags")}>{words.overview.show}</a>
      </Told>,
    );
  }
  return told;
}

function Figures(props: {
  readonly overview: AdminOverview;
  readonly usage: AdminUsage | null;
  readonly span: number;
}): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const { spending, budgetDay, budgetMonth } = props.overview;
  const total = props.usage?.total ?? null;
  return (
    <dl className="cs-figures">
      <Spent name={words.overview.today} micros={spending.dayMicros} budget={budgetDay} />
      <Spent name={words.overview.month} micros={spending.monthMicros} budget={budgetMonth} />
      <div className="cs-figure">
        <dt>{words.overview.calls}</dt>
        <dd>{total === null ? "…" : format.number(total.calls)}</dd>
        <dd>{words.overview.inPeriod(props.span)}</dd>
      </div>
      <div className="cs-figure" data-tone={total !== null && total.errors > 0 ? "bad" : undefined}>
        <dt>{words.overview.errors}</dt>
        <dd>{total === null ? "…" : format.number(total.errors)}</dd>
        <dd>
          {words.overview.errorShare(
            format.percent(total === null || total.calls === 0 ? 0 : total.errors / total.calls),
          )}
        </dd>
      </div>
    </dl>
  );
}

function Spent(props: { readonly name: string; readonly micros: number; readonly budget: number | null }): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const { name, micros, budget } = props;
  const share = budget === null ? 0 : budget === 0 ? 1 : micros / (budget * 1e6);
  return (
    <div className="cs-figure">
      <dt>{name}</dt>
      <dd>{format.money(micros)}</dd>
      <dd>
        {budget === null ? words.overview.noBudget : words.overview.ofBudget(format.dollars(budget))}
        {budget !== null && <Meter share={share} tone={share >= 1 ? "bad" : share >= 0.8 ? "warn" : "accent"} />}
      </dd>
    </div>
  );
}

function Usage({ usage }: { readonly usage: AdminUsage }): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const { total, days, users, models } = usage;
  if (total.calls + total.refused === 0) return <Nothing icon="info">{words.overview.empty}</Nothing>;
  const dates = days.map(({ day }) => day);
  const of = (pick: (sum: AdminUsageSum) => number): readonly number[] => days.map(pick);
  const counts = { days: dates, areCounts: true, write: format.number, writeShort: format.short };
  return (
    <>
      <div className="cs-grid">
        <DayChart
          title={words.overview.cost}
          days={dates}
          kind="bars"
          series={[{ name: words.overview.seriesCost, tone: "accent", values: of(({ costMicros }) => costMicros) }]}
          write={format.money}
          writeShort={format.shortMoney}
        />
        <DayChart
          {...counts}
          title={words.overview.callsByDay}
          kind="bars"
          series={[
            { name: words.overview.seriesGood, tone: "good", values: of(({ calls, errors }) => calls - errors) },
            { name: words.overview.seriesErrors, tone: "bad", values: of(({ errors }) => errors) },
          ]}
        />
        <DayChart
          {...counts}
          title={words.overview.tokens}
          kind="lines"
          series={[
            { name: words.overview.seriesInput, tone: "accent", values: of(({ inputTokens }) => inputTokens) },
            { name: words.overview.seriesOutput, tone: "good", values: of(({ outputTokens }) => outputTokens) },
          ]}
        />
        <DayChart
          {...counts}
          title={words.overview.troubles}
          kind="bars"
          series={[
            { name: words.overview.seriesErrors, tone: "bad", values: of(({ errors }) => errors) },
            { name: words.overview.seriesRefused, tone: "warn", values: of(({ refused }) => refused) },
          ]}
        />
      </div>
      <div className="cs-grid">
        <Shares title={words.overview.users} first={words.overview.user} sums={users} isUsers />
        <Shares title={words.overview.models} first={words.overview.model} sums={models} />
      </div>
    </>
  );
}

/** Who, or what, cost how much: those that cost most. */
function Shares(props: {
  readonly title: string;
  readonly first: string;
  readonly sums: readonly (AdminUsageSum & { readonly name: string })[];
  readonly isUsers?: boolean;
}): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const most = Math.max(1, ...props.sums.map(({ costMicros }) => costMicros));
  return (
    <div>
      <h2>{props.title}</h2>
      <Sheet
        label={props.title}
        columns={[
          { title: props.first },
          { title: words.overview.calls, kind: "number" },
          { title: words.journal.cost, kind: "number" },
          { title: words.overview.share, kind: "roomy" },
        ]}
      >
        {props.sums.map(({ name, calls, costMicros }) => (
          <tr key={name}>
            <th scope="row">{props.isUsers === true ? <UserLink userId={name} /> : name}</th>
            <td className="cs-number">{format.number(calls)}</td>
            <td className="cs-number">{format.money(costMicros)}</td>
            <td className="cs-roomy cs-share">
              <Meter share={costMicros / most} />
            </td>
          </tr>
        ))}
      </Sheet>
    </div>
  );
}
