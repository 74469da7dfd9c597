import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import type { AdminTurns } from "../../wire/admin.ts";
import { Icon } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { toFormat } from "./format.ts";
import { FailureTold, Nothing, Pill, Ready, SectionHead, Sheet, Told, UserLink } from "./parts.tsx";
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
        columns={[
          { title: words.turns.user },
          { title: words.turns.runs, kind: "number" },
          { title: words.turns.left, kind: "roomy number" },
          { title: words.turns.node, kind: "roomy" },
          { title: words.turns.state },
          { title: words.turns.stop, isHidden: true },
        ]}
      >
        {turns.map((turn) => (
          <tr key={turn.turnId}>
            <th scope="row">
              <UserLink userId={turn.userId} />
            </th>
            <td className="cs-number">{format.duration(Math.max(0, since(turn.startedAt)))}</td>
            <td className="cs-roomy cs-number">{format.duration(Math.max(0, -since(turn.deadlineAt)))}</td>
            <td className="cs-roomy">
              <code>{turn.node}</code>
            </td>
            <td>
              {turn.keptAt === null ? (
                <Pill tone="bad">{words.turns.orphan}</Pill>
              ) : turn.stopRequested ? (
                <Pill tone="warn">{words.turns.stopping}</Pill>
              ) : (
                <Pill tone="accent">{words.turns.running}</Pill>
              )}
            </td>
            <td className="cs-number">
              <button
                type="button"
                className="cs-button"
                disabled={turn.stopRequested || turn.keptAt === null}
                aria-label={words.turns.stopOf(nameOf(turn.userId) ?? turn.userId)}
                onClick={() => void props.onStop(turn)}
              >
                {words.turns.stop}
              </button>
            </td>
          </tr>
        ))}
      </Sheet>
    </>
  );
}
