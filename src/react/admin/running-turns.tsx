import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import type { AdminTurns } from "../../wire/admin.ts";
import { Icon } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { toFormat } from "./format.ts";
import { FailureTold, Nothing, Pill, Ready, SectionHead, Told, UserLink } from "./parts.tsx";
import { Sheet } from "./sheet.tsx";
import { useLoad } from "./use-load.ts";

const everyMs = 5_000;

/** What runs now, read anew every few seconds while somebody looks. */
export function RunningTurns(): ReactNode {
  const { request, words, say, nameOf } = useAdmin();
  const loaded = useLoad<AdminTurns>("/admin/turns");
  const { reload } = loaded;
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [reload]);

  const stop = async (turn: AdminTurns["turns"][number]): Promise<void> => {
    const answer = await request("POST", `/admin/turns/${turn.turnId}/stop`, { userId: turn.userId });
    setFailure(answer.ok ? null : answer.failure);
    if (answer.ok) say(words.turns.stopped(nameOf(turn.userId) ?? turn.userId));
    await reload();
  };

  return (
    <>
      <SectionHead title={words.turns.title} about={words.turns.about}>
        <button type="button" className="cs-button" onClick={() => void reload()}>
          <Icon name="again" />
          {words.reload}
        </button>
      </SectionHead>
      <div className="cs-stack">
        <FailureTold failure={failure} />
      </div>
      <Ready loaded={loaded}>{(value) => <TurnsSheet value={value} onStop={stop} />}</Ready>
    </>
  );
}

function TurnsSheet(props: {
  readonly value: AdminTurns;
  readonly onStop: (turn: AdminTurns["turns"][number]) => Promise<void>;
}): ReactNode {
  const { words, nameOf } = useAdmin();
  const format = toFormat(words);
  const { now, turns, more } = props.value;
  if (turns.length === 0) return <Nothing icon="clock">{words.turns.empty}</Nothing>;
  const since = (time: string): number => Date.parse(now) - Date.parse(time);
  return (
    <>
      {more && <Told tone="warn">{words.turns.more}</Told>}
      <Sheet
        label={words.turns.title}
        hasRowNames
        columns={[
          { title: words.turns.user },
          { title: words.turns.state, isPlain: true },
          { title: words.turns.runs, kind: "number" },
          { title: words.turns.left, kind: "number" },
          { title: words.turns.node, isWide: true },
          { title: words.turns.stop, kind: "number", isHidden: true },
        ]}
        rows={turns.map((turn) => ({
          key: turn.turnId,
          cells: [
            <UserLink key="user" userId={turn.userId} />,
            <State key="state" turn={turn} />,
            format.duration(Math.max(0, since(turn.startedAt))),
            format.duration(Math.max(0, -since(turn.deadlineAt))),
            <code key="node">{turn.node}</code>,
            <button
              key="stop"
              type="button"
              className="cs-button"
              disabled={turn.stopRequested || turn.keptAt === null}
              aria-label={words.turns.stopOf(nameOf(turn.userId) ?? turn.userId)}
              onClick={() => void props.onStop(turn)}
            >
              {words.turns.stop}
            </button>,
          ],
        }))}
      />
    </>
  );
}

function State({ turn }: { readonly turn: AdminTurns["turns"][number] }): ReactNode {
  const { words } = useAdmin();
  if (turn.keptAt === null) return <Pill tone="bad">{words.turns.orphan}</Pill>;
  if (turn.stopRequested) return <Pill tone="warn">{words.turns.stopping}</Pill>;
  return <Pill tone="accent">{words.turns.running}</Pill>;
}
