import type { PromptCall, PromptMessage, PromptResult } from "../model/model.ts";
import { isBlank } from "../model/split-thinking.ts";
import { toCallWords } from "./call-words.ts";

/** What one round of this turn added: an answer and, when it had calls, one result for each. */
export interface RoundMessages {
  readonly text: string;
  readonly calls: readonly PromptCall[];
  readonly results: readonly PromptResult[];
}

const stub = "(left out here: too long to be sent again. Ask for it once more if it is needed)";
const goOn = "(Your answer was not finished. Go on where it stopped.)";

/**
 * The rounds of this turn so far, as the next one sends them. The newest round's results go whole; of earlier ones, the
 * newer before the older, as many as fit with them in `characters`. The database keeps them all.
 */
export function toTurnMessages(
  rounds: readonly RoundMessages[],
  room: { readonly characters: number; readonly toolsVisible: boolean },
): readonly PromptMessage[] {
  let left = room.characters;
  const fitted: RoundMessages[] = [];
  for (const [age, round] of rounds.toReversed().entries()) {
    const results = round.results.toReversed().map((result) => {
      const fits = age === 0 || result.text.length <= Math.max(left, stub.length);
      if (fits) left -= result.text.length;
      return fits ? result : { ...result, text: stub };
    });
    fitted.unshift({ ...round, results: results.toReversed() });
  }
  return fitted.flatMap((round) => (room.toolsVisible ? toMessages(round) : toTextMessages(round)));
}

// A prompt that ends with an answer is taken for its beginning by some providers and refused by others.
function toMessages({ text, calls, results }: RoundMessages): readonly PromptMessage[] {
  const after: PromptMessage = results.length > 0 ? { role: "results", results } : { role: "user", text: goOn };
  return [{ role: "assistant", text, calls }, after];
}

function toTextMessages({ text, calls, results }: RoundMessages): readonly PromptMessage[] {
  const told = calls.map((call, index) =>
    toCallWords({ name: call.name, argumentsText: JSON.stringify(call.arguments), result: results[index]?.text ?? "" }),
  );
  const texts = [text, ...told].filter((part) => !isBlank(part));
  return [
    { role: "assistant", text: texts.join("\n\n"), calls: [] },
    { role: "user", text: goOn },
  ];
}
