import type { RunningTurn, ServerEvent } from "../wire/events.ts";

/** What an event makes of the turn that runs in a chat, as a newcomer should see it; null when none runs. */
export function applyToTurn(before: RunningTurn | null, event: ServerEvent): RunningTurn | null {
  switch (event.type) {
    case "turn": {
      const streamed = before?.turnId === event.turn.turnId && event.turn.activity !== "stopping" ? before.text : "";
      // An activity need not repeat the text that was streamed already.
      return event.turn.text.length >= streamed.length ? event.turn : { ...event.turn, text: streamed };
    }
    case "delta":
      if (before?.turnId !== event.turnId || event.at > before.text.length) return before;
      return { ...before, activity: "answering", text: before.text.slice(0, event.at) + event.text };
    case "retract":
      return before?.turnId === event.turnId ? { ...before, text: "" } : before;
    case "turn_ended":
      return before?.turnId === event.turnId ? null : before;
    case "message":
      // The text that was streamed is the stored answer now.
      if (event.message.role !== "assistant" || before?.turnId !== event.message.turnId) return before;
      return { ...before, text: "" };
    default:
      return before;
  }
}
