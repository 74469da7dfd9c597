import type { Chat, Fence } from "../chat/chat.ts";
import type { TurnActivity, TurnEnd } from "../wire/events.ts";

/** Tells those who watch what a running turn does. What no row holds; stored messages are told by the chat. */
export interface Telling {
  activity(activity: TurnActivity, toolTitle?: string): void;
  /** More of the answer under way. Nothing is told after a stop was asked for. */
  delta(text: string): void;
  /** What was shown of the answer is stored now. */
  stored(): void;
  /** What was shown of the answer will not be stored. */
  retract(): void;
  /** Only for a turn that nobody told the end of: an end that was stored is told by the chat. */
  ended(end: { readonly how: TurnEnd; readonly asked: boolean }): void;
  /** The turn is over: whatever its task still says is not told. */
  close(): void;
}

export function createTelling(chat: Pick<Chat, "publish">, fence: Fence, turnId: string): Telling {
  const { conversationId } = fence;
  let now: TurnActivity = "starting";
  let text = "";
  let open = true;
  const telling: Telling = {
    activity(activity, toolTitle) {
      if (!open || now === "stopping") return;
      now = activity;
      const turn = { turnId, conversationId, activity, toolTitle: toolTitle ?? null, text };
      chat.publish(fence, { type: "turn", turn });
    },
    delta(more) {
      if (!open || more === "" || now === "stopping") return;
      if (now !== "answering") telling.activity("answering");
      chat.publish(fence, { type: "delta", turnId, at: text.length, text: more });
      text += more;
    },
    stored() {
      text = "";
    },
    retract() {
      if (!open || text === "") return;
      text = "";
      chat.publish(fence, { type: "retract", turnId });
    },
    ended(end) {
      if (open) chat.publish(fence, { type: "turn_ended", turnId, ...end });
    },
    close() {
      open = false;
    },
  };
  return telling;
}
