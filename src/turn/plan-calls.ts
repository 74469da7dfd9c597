import type { StoredCall } from "../chat/stored-message.ts";
import type { VisibleTool } from "../core/core.ts";
import type { ShownTools } from "./tool-names.ts";

/** Which calls of an answer run, and why the others do not. Pure: what a call's run leads to is asked again with `afterHeld`. */
export type Denial =
  | "not_shown"
  | "too_many"
  | "shared_id"
  | "later_write"
  | "read_after_write"
  | "already_waiting"
  | "cut_off";

export type PlannedCall =
  | { readonly call: StoredCall; readonly tool: VisibleTool }
  | { readonly call: StoredCall; readonly denied: Denial };

/** A call as it is stored, with the name the model gave it: only one shown in this round leads to a tool. */
export interface AskedCall {
  readonly call: StoredCall;
  readonly nameAsked: string;
}

/** The verdicts that need nothing but the answer itself, in its order. `most`: calls run of one answer. */
export function planCalls(
  asked: readonly AskedCall[],
  round: { readonly shown: ShownTools; readonly most: number },
): readonly PlannedCall[] {
  const bearers = new Map<string, number>();
  for (const { call } of asked) {
    if (call.providerId) bearers.set(call.providerId, (bearers.get(call.providerId) ?? 0) + 1);
  }
  return asked.map(({ call, nameAsked }, index): PlannedCall => {
    const tool = round.shown.get(nameAsked);
    if (index >= round.most) return { call, denied: "too_many" };
    if (tool === undefined) return { call, denied: "not_shown" };
    const shared = call.providerId ? (bearers.get(call.providerId) ?? 0) > 1 : false;
    if (tool.kind === "write" && shared) return { call, denied: "shared_id" };
    return { call, tool };
  });
}

/** Why a call that was to run does not, once an earlier call of its answer is held. */
export function afterHeld(tool: VisibleTool): Denial {
  return tool.kind === "write" ? "later_write" : "read_after_write";
}

/** What the model reads as the result of a call that was not run. */
export function toDenialWords(denied: Denial, round: { readonly shown: ShownTools; readonly most: number }): string {
  switch (denied) {
    case "not_shown":
      return `Not run: there is no tool of this name here. ${listTools(round.shown)}`;
    case "too_many":
      return `Not run: only the first ${round.most} calls of an answer are run. Ask again in your next answer for what is still needed.`;
    case "shared_id":
      return "Not run: another call of this answer has the same id. Ask for one change at a time.";
    case "later_write":
      return "Not run: confirm the earlier change first. Only one change can wait for the user at a time.";
    case "read_after_write":
      return "Not run: the change before it is held for confirmation, and the turn ends with it.";
    case "already_waiting":
      return "Not run: already waiting for confirmation. The same change is on a card in front of the user; do not ask for it again.";
    case "cut_off":
      return "Not run, cut off: the answer reached its length limit before it was complete. Answer shorter, or ask for a smaller call.";
  }
}

const longestList = 1_500;

function listTools(shown: ShownTools): string {
  if (shown.size === 0) return "There are no tools.";
  let list = "";
  for (const name of shown.keys()) {
    if (list.length + name.length > longestList) return `Among the tools are: ${list}.`;
    list += list === "" ? name : `, ${name}`;
  }
  return `The tools are: ${list}.`;
}
