import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { Mastra } from "@mastra/core/mastra";
import { createTool } from "@mastra/core/tools";
import { Memory } from "@mastra/memory";
import { PostgresStore } from "@mastra/pg";
import { z } from "zod";
import { script, type Held, type OpenPeer } from "../peer.ts";
import { scriptedLanguageModel } from "./scripted-language-model.ts";

/**
 * An agent with message history and its store on PostgreSQL; the write's tool requires approval. `generate`, which costs
 * less than `stream`. History is the default, the last ten messages.
 */
const openMastra: OpenPeer = async ({ connectionString, onAsked, onWrite }) => {
  const storage = new PostgresStore({ id: "store", connectionString, max: 10 });
  await storage.init();
  const tools = {
    [script.read.name]: createTool({
      id: script.read.name,
      description: script.read.description,
      inputSchema: z.object({}),
      execute: async () => ({ found: script.found }),
    }),
    [script.write.name]: createTool({
      id: script.write.name,
      description: script.write.description,
      inputSchema: z.object({ name: z.string() }),
      requireApproval: true,
      execute: ({ name }) => onWrite(name),
    }),
  };
  const memory = new Memory({ storage });
  const office = new Agent({
    id: "office",
    name: "Office",
    instructions: script.instructions,
    // It takes a model of the AI SDK; its types know that interface at another version.
    model: scriptedLanguageModel(onAsked) as MastraModelConfig,
    tools,
    memory,
  });
  const mastra = new Mastra({ agents: { office }, storage, logger: false });
  const agent = mastra.getAgent("office");

  const of = (chat: string): { thread: string; resource: string } => ({ thread: chat, resource: "person" });
  const approve = async (held: Held, more: object): Promise<void> => {
    const { chat } = held;
    const result = await agent.approveToolCallGenerate({ ...stateSchema.parse(held.state), memory: of(chat), ...more });
    if (result.error !== undefined) throw result.error;
  };
  return {
    async ask(chat) {
      const result = await agent.generate(script.question, { memory: of(chat) });
      if (result.text !== script.answer) throw new Error(`a turn ended otherwise: ${result.finishReason}`);
    },
    async hold(chat, name) {
      const result = await agent.generate(`${script.wish}${name}`, { memory: of(chat) });
      const { toolCallId } = suspendedSchema.parse(result.suspendPayload);
      return { chat, name, state: { runId: result.runId, toolCallId } };
    },
    approve: (held) => approve(held, {}),
    forge: (held, name) => approve(held, { args: { name }, resumeData: { approved: true, args: { name } } }),
    async recover(held) {
      // After a restart, the runs that wait for an approval are listed, and one that waits is approved again.
      const { runs } = await agent.listSuspendedRuns({ threadId: held.chat, resourceId: "person" });
      for (const { runId, toolCalls } of runs) {
        for (const { toolCallId } of toolCalls) await approve({ ...held, state: { runId, toolCallId } }, {});
      }
      const { messages } = await memory.recall({ threadId: held.chat });
      return JSON.stringify(messages.at(-1)).includes(script.done);
    },
    async close() {
      await mastra.shutdown();
      await storage.close();
    },
  };
};
export default openMastra;

const stateSchema = z.object({ runId: z.string(), toolCallId: z.string() });
const suspendedSchema = z.object({ toolCallId: z.string() });
