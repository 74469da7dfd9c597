import type { ReactNode } from "react";
import type { LiveTurn } from "../client/snapshot.ts";
import type { Language } from "./language/language.ts";
import { Markdown } from "./markdown.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";

/** The answer under way: its text as it comes, and what the turn does at this moment. */
export function LiveAnswer(): ReactNode {
  const { language } = usePanel();
  const turn = useSnapshot(({ chat }) => chat.turn);
  if (turn === null) return null;
  return (
    <div className="cs-answer" data-live="true">
      {turn.text !== "" && <Markdown text={turn.text} />}
      <p className="cs-activity">
        <span className="cs-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        <span>{toActivity(turn, language)}</span>
      </p>
    </div>
  );
}

function toActivity({ activity, toolTitle }: LiveTurn, { thread }: Language): string {
  if (activity === "tool") return toolTitle === null ? thread.thinking : thread.tool(toolTitle);
  return thread[activity];
}
