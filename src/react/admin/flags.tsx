import { useState } from "react";
import type { ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import type { AdminFlags } from "../../wire/admin.ts";
import { useAdmin } from "./admin-context.ts";
import { toFormat } from "./format.ts";
import { FailureTold, Pill, Ready, SectionHead, Told, UserLink } from "./parts.tsx";
import { PagedSheet } from "./paged-sheet.tsx";
import { Sheet } from "./sheet.tsx";
import { useLoad, usePages } from "./use-load.ts";

type Flag = AdminFlags["flags"][number];

/** Off-purpose flags, and whom they suspend. */
export function Flags(): ReactNode {
  const { request, words, say, nameOf } = useAdmin();
  const format = toFormat(words);
  const standing = useLoad<AdminFlags>("/admin/flags?standing=1");
  const pages = usePages<AdminFlags, Flag>({ path: "/admin/flags", toItems: ({ flags }) => flags });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [cleared, setCleared] = useState<string | null>(null);

  const clear = async (userId: string): Promise<void> => {
    const answer = await request("POST", "/admin/flags/clear", { userId });
    setFailure(answer.ok ? null : answer.failure);
    if (!answer.ok) return;
    setCleared(userId);
    say(words.flags.cleared(nameOf(userId) ?? userId));
    await Promise.all([standing.reload(), pages.reload()]);
  };

  return (
    <>
      <SectionHead title={words.flags.title} about={words.flags.about} />
      <div className="cs-stack">
        <FailureTold failure={failure} />
        {cleared !== null && <Told icon="check">{words.flags.cleared(nameOf(cleared) ?? cleared)}</Told>}
      </div>
      <Ready loaded={standing}>
        {(value) => (
          <div>
            <h2>
              {words.flags.standing}{" "}
              <span className="cs-quiet">{words.flags.window(format.duration(value.windowSeconds * 1_000))}</span>
            </h2>
            {value.standing.length === 0 ? (
              <p className="cs-quiet">{words.flags.nobody}</p>
            ) : (
              <Sheet
                label={words.flags.standing}
                hasRowNames
                columns={[
                  { title: words.flags.user },
                  { title: words.flags.count },
                  { title: words.flags.last },
                  { title: words.flags.clear, kind: "number", isHidden: true },
                ]}
                rows={value.standing.map(({ userId, count, limit, suspended, lastAt }) => ({
                  key: userId,
                  cells: [
                    <UserLink key="user" userId={userId} />,
                    <>
                      {words.flags.of(count, limit)} {suspended && <Pill tone="bad">{words.flags.suspended}</Pill>}
                    </>,
                    <time key="last" dateTime={lastAt}>
                      {format.time(lastAt)}
                    </time>,
                    <button
                      key="clear"
                      type="button"
                      className="cs-button"
                      aria-label={words.flags.clearOf(nameOf(userId) ?? userId)}
                      onClick={() => void clear(userId)}
                    >
                      {words.flags.clear}
                    </button>,
                  ],
                }))}
              />
            )}
          </div>
        )}
      </Ready>
      <h2>{words.flags.all}</h2>
      <PagedSheet
        label={words.flags.all}
        pages={pages}
        empty={words.flags.empty}
        columns={[
          { title: words.flags.time, isPlain: true },
          { title: words.flags.user, isPlain: true },
          { title: words.flags.reason, isPlain: true, isWide: true },
          { title: words.flags.state, isPlain: true },
        ]}
        toRow={({ userId, turnId, at, reason, clearedAt }) => ({
          key: `${userId} ${turnId}`,
          cells: [
            <time key="at" dateTime={at}>
              {format.time(at)}
            </time>,
            <UserLink key="user" userId={userId} />,
            reason,
            clearedAt === null ? (
              <Pill key="state" tone="warn">
                {words.flags.counts}
              </Pill>
            ) : (
              <Pill key="state">{words.flags.wasCleared}</Pill>
            ),
          ],
        })}
      />
    </>
  );
}
