import { useState } from "react";
import type { ReactNode } from "react";
import type { AdminOverview, AdminUsage, AdminUsageSum } from "../../wire/admin.ts";
import { useAdmin } from "./admin-context.ts";
import { DayChart } from "./day-chart.tsx";
import { toFormat } from "./format.ts";
import { Meter, Nothing, Ready, SectionHead, Segments, Told, UserLink } from "./parts.tsx";
import { toHash } from "./section-hash.ts";
import { UsageSums } from "./usage-sums.tsx";
import { useLoad } from "./use-load.ts";

const spans = [7, 30, 90] as const;
type Span = (typeof spans)[number];
const dayMs = 86_400_000;

/** How things stand, and what they came to; or what one user's calls came to. */
export function Overview({ userId }: { readonly userId: string | null }): ReactNode {
  const { words } = useAdmin();
  const [span, setSpan] = useState<Span>(30);
  const [today] = useState(() => Date.now());
  const from = new Date(today - (span - 1) * dayMs).toISOString().slice(0, 10);
  const to = new Date(today).toISOString().slice(0, 10);
  const ofUser = userId === null ? "" : `&userId=${encodeURIComponent(userId)}`;
  const now = useLoad<AdminOverview>(userId === null ? "/admin/overview" : null);
  const usage = useLoad<AdminUsage>(`/admin/usage?from=${from}&to=${to}${ofUser}`);
  const reload = async (): Promise<void> => void (await Promise.all([now.reload(), usage.reload()]));
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
      <div className="cs-stack">
        {userId === null ? (
          <Ready loaded={{ ...now, reload }}>
            {(overview) => (
              <>
                <Standing overview={overview} />
                <Figures overview={overview} usage={usage.value} span={span} />
              </>
            )}
          </Ready>
        ) : (
          <>
            <Told icon="person">
              <p>
                {words.overview.onlyOf} <UserLink userId={userId} />
              </p>
              <a href={toHash("overview")}>{words.overview.ofAll}</a>
            </Told>
            <Figures overview={null} usage={usage.value} span={span} />
          </>
        )}
        {/* What fails for one reason is told once. */}
        {now.failure === null && (
          <Ready loaded={usage}>{(value) => <Usage usage={value} isOfUser={userId !== null} />}</Ready>
        )}
      </div>
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
  /** Null where the figures are one user's. */
  readonly overview: AdminOverview | null;
  readonly usage: AdminUsage | null;
  readonly span: number;
}): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const { overview } = props;
  const total = props.usage?.total ?? null;
  const of = (write: (sum: AdminUsageSum) => string): string => (total === null ? "…" : write(total));
  const period = words.overview.inPeriod(props.span);
  return (
    <dl className="cs-figures">
      {overview === null ? (
        <>
          <Figure name={words.journal.cost} value={of(({ costMicros }) => format.money(costMicros))} about={period} />
          <Figure
            name={words.journal.tokens}
            value={of((sum) => `${format.short(sum.inputTokens)} / ${format.short(sum.outputTokens)}`)}
            about={period}
          />
        </>
      ) : (
        <>
          <Spent name={words.overview.today} micros={overview.spending.dayMicros} budget={overview.budgetDay} />
          <Spent name={words.overview.month} micros={overview.spending.monthMicros} budget={overview.budgetMonth} />
        </>
      )}
      <Figure name={words.overview.calls} value={of(({ calls }) => format.number(calls))} about={period} />
      <Figure
        name={words.overview.errors}
        value={of(({ errors }) => format.number(errors))}
        about={words.overview.errorShare(
          format.percent(total === null || total.calls === 0 ? 0 : total.errors / total.calls),
        )}
        isBad={total !== null && total.errors > 0}
      />
    </dl>
  );
}

function Figure(props: {
  readonly name: string;
  readonly value: string;
  readonly about: ReactNode;
  readonly isBad?: boolean;
}): ReactNode {
  return (
    <div className="cs-figure" data-tone={props.isBad === true ? "bad" : undefined}>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
      <dd>{props.about}</dd>
    </div>
  );
}

function Spent(props: { readonly name: string; readonly micros: number; readonly budget: number | null }): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const { name, micros, budget } = props;
  const share = budget === null ? 0 : budget === 0 ? 1 : micros / (budget * 1e6);
  const about = (
    <>
      {budget === null ? words.overview.noBudget : words.overview.ofBudget(format.dollars(budget))}
      {budget !== null && <Meter share={share} tone={share >= 1 ? "bad" : share >= 0.8 ? "warn" : "accent"} />}
    </>
  );
  return <Figure name={name} value={format.money(micros)} about={about} />;
}

function Usage({ usage, isOfUser }: { readonly usage: AdminUsage; readonly isOfUser: boolean }): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const { total, days, users, models, endpoints } = usage;
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
      {!isOfUser && (
        <UsageSums title={words.overview.users} first={words.overview.user} sums={users} total={total} isUsers />
      )}
      <UsageSums title={words.overview.models} first={words.overview.model} sums={models} total={total} />
      <UsageSums title={words.overview.endpoints} first={words.journal.endpoint} sums={endpoints} total={total} />
    </>
  );
}
