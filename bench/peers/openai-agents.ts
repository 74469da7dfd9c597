import {
  Agent,
  Runner,
  RunState,
  setTracingDisabled,
  tool,
  Usage,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
} from "@openai/agents";
import { z } from "zod";
import { nextStep, script, type Held, type OpenPeer } from "../peer.ts";

/** It stores nothing: the state of a run that waits is a text, kept by the host or sent along with the request, as here. */
const openOpenAiAgents: OpenPeer = async ({ onAsked, onWrite }) => {
  setTracingDisabled(true);
  const tools = [
    tool({ ...script.read, parameters: z.object({}), execute: async () => JSON.stringify(script.found) }),
    tool({
      ...script.write,
      parameters: z.object({ name: z.string() }),
      needsApproval: true,
      execute: ({ name }) => onWrite(name),
    }),
  ];
  const agent = new Agent({ name: "Office", instructions: script.instructions, model: scripted(onAsked), tools });
  const runner = new Runner({ tracingDisabled: true });
  const browsers = new Map<string, AgentInputItem[]>();
  const approve = async ({ state: serialized }: Held): Promise<boolean> => {
    const state = await RunState.fromString(agent, String(serialized));
    for (const interruption of state.getInterruptions()) state.approve(interruption);
    const result = await runner.run(agent, state);
    return result.finalOutput === script.done;
  };
  return {
    async ask(chat) {
      const before = browsers.get(chat) ?? [];
      const result = await runner.run(agent, [...before, { role: "user", content: script.question }]);
      browsers.set(chat, result.history);
    },
    async hold(chat, name) {
      const result = await runner.run(agent, `${script.wish}${name}`);
      if (result.interruptions.length !== 1) throw new Error("the write was not held");
      return { chat, name, state: result.state.toString() };
    },
    async approve(held) {
      await approve(held);
    },
    async forge(held, name) {
      await approve({ ...held, state: String(held.state).replaceAll(held.name, name) });
    },
    // Nothing is known on the server: the state is sent again.
    recover: approve,
    close: async () => undefined,
  };
};
export default openOpenAiAgents;

function scripted(onAsked: () => void): Model {
  return {
    async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
      const items: AgentInputItem[] = typeof input === "string" ? [{ role: "user", content: input }] : input;
      const said = items.findLast((item) => "role" in item && item.role === "user");
      const last = items.at(-1);
      const step = nextStep(textOf(said), last?.type === "function_call_result");
      const usage = new Usage({ requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 });
      if (step.kind === "answer") {
        const content = [{ type: "output_text", text: step.text } as const];
        return { usage, output: [{ type: "message", role: "assistant", status: "completed", content }] };
      }
      const { name, args } = step;
      if (name === script.write.name) onAsked();
      const callId = `call_${crypto.randomUUID()}`;
      const call = {
        type: "function_call",
        callId,
        name,
        status: "completed",
        arguments: JSON.stringify(args),
      } as const;
      return { usage, output: [call] };
    },
    getStreamedResponse() {
      throw new Error("the script does not stream");
    },
  };
}

function textOf(item: AgentInputItem | undefined): string {
  if (item === undefined || !("content" in item)) return "";
  const { content } = item;
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => ("text" in part ? part.text : "")).join("");
}
