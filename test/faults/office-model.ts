import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Endpoint } from "../../src/model/model.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedRequest } from "../../src/testing/scripted-model.ts";
import type { ModelLine, NodeSetup } from "./node-setup.ts";

/** What a question asks the model to do; the words after its tag. */
export const wishes = ["talk", "look", "look slowly", "talk slowly", "look and rename", "rename"] as const;

const slowMs = 1_200;
/** Longer than a lock holds that nobody keeps. */
const verySlowMs = 3_500;

/**
 * A model that does what the question says: `#12 rename: plain-x` asks for a write, `#13 look slowly` takes its time. Each
 * call is written down when it is begun and when it is answered, with a cost that no other call has.
 */
export function officeModel({
  modelFile,
  name: node,
  number,
  dollarCalls = false,
}: Pick<NodeSetup, "modelFile" | "name" | "number" | "dollarCalls">): Endpoint {
  let calls = 0;
  const languageModel = scriptedModel({
    async always(request: ScriptedRequest): Promise<ScriptedAnswer> {
      const { tag, wish, name } = readQuestion(request.question);
      const call = (calls += 1);
      const costMicros = dollarCalls ? 1_000_000 : number * 1_000 + call;
      const note = (what: ModelLine["what"]): void => {
        const line: ModelLine = { tag, node, call, what, costMicros };
        appendFileSync(modelFile, `${JSON.stringify(line)}\n`);
      };
      note("begun");
      const answer = toAnswer(request, wish, name);
      if (wish.endsWith("without end")) await new Promise(() => undefined);
      if (wish.includes("slowly")) await pause(wish.includes("very") ? verySlowMs : slowMs);
      return {
        ...answer,
        usage: { input: 10, output: 5, cost: costMicros / 1e6 },
        between: () => note("answered"),
      };
    },
  });
  const endpoint = { name: "office", provider: "openai-compatible", model: "office", languageModel } as const;
  if (dollarCalls) return { ...endpoint, price: { input: 0, output: 10_000 }, maxOutputTokens: 100 };
  // Dear enough that a reservation is more than any call costs.
  return { ...endpoint, price: { input: 100, output: 100 } };
}

function toAnswer({ results }: ScriptedRequest, wish: string, name: string): ScriptedAnswer {
  const look = { name: "office__look", arguments: {} };
  const rename = { name: "office__rename", arguments: { name } };
  if (results.length > 0) return { text: ["It ", "is ", "done."] };
  if (wish.startsWith("look and rename")) return { text: "First a look.", calls: [look, rename] };
  if (wish.startsWith("look")) return { calls: [look] };
  if (wish.startsWith("rename")) return { calls: [rename] };
  return { text: ["Hello ", "from the ", "office."] };
}

/** The newest question's parts; a remark about a card may stand before it. */
function readQuestion(question: string): { readonly tag: string; readonly wish: string; readonly name: string } {
  const [, tag = "", wish = "talk", name = ""] = /#(\d+) ([a-z ]+)(?:: (\S+))?$/.exec(question) ?? [];
  return { tag, wish, name };
}
