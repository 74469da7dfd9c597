import { useState } from "react";
import type { ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import type { AdminFlags } from "../../wire/admin.ts";
import { useAdmin } from "./admin-context.ts";
import { toFormat } from "./format.ts";
import { FailureTold, Pill, Ready, SectionHead, Sheet, Told, UserLink } from "./parts.tsx";
import { PagedSheet } from "./paged-sheet.tsx";
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
                columns={[
                  { title: words.flags.user },
                  { title: words.flags.count },
                  { title: words.flags.last, kind: "roomy" },
                  { title: words.flags.clear, isHidden: true },
                ]}
              >
                {value.standing.map(({ userId, count, limit, suspended, lastAt }) => (
                  <tr key={userId}>
                    <th scope="row">
                      <UserLink userId={userId} />
                    </th>
                    <td>
                      {words.flags.of(count, limit)} {suspended && <Pill tone="bad">{words.flags.suspended}</Pill>}
                    </td>
                    <td className="cs-roomy">{format.time(lastAt)}</td>
                    <td className="cs-number">
                      <button
                        type="button"
                        className="cs-button"
                        aria-label={words.flags.clearOf(nameOf(userId) ?? userId)}
                        onClick={() => void clear(userId)}
                      >
                        {words.flags.clear}
                      </button>
                    </td>
                  </tr>
                ))}
              </Sheet>
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
          { title: words.flags.time },
          { title: words.flags.user },
          { title: words.flags.reason },
          { title: words.flags.state },
        ]}
      >
        {({ userId, turnId, at, reason, clearedAt }) => (
          <tr key={`${userId} ${turnId}`}>
            <td className="cs-nowrap">{format.time(at)}</td>
            <td>
              <UserLink userId={userId} />
            </td>
            <td>{reason}</td>
            <td>
              {clearedAt === null ? (
                <Pill tone="warn">{words.flags.counts}</Pill>
              ) : (
                <Pill>{words.flags.wasCleared}</Pill>
              )}
            </td>
          </tr>
        )}
      </PagedSheet>
    </>
  );
}
