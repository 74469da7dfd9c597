import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { tool } from "@langchain/core/tools";
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { nextStep, script, type Held, type OpenPeer } from "../peer.ts";

/**
 * A graph of a model and its tools, which is the leanest there is: an agent with the approval middleware has one more
 * node, and so one more checkpoint a round. The write's tool interrupts, as the page on interrupts says for tools.
 * Durability is the default, `async`.
 */
const openLangGraph: OpenPeer = async ({ connectionString, onAsked, onWrite }) => {
  const checkpointer = PostgresSaver.fromConnString(connectionString);
  await checkpointer.setup();

  const find = tool(() => JSON.stringify(script.found), { ...script.read, schema: z.object({}) });
  const rename = tool(
    async ({ name }) => {
      const decision: unknown = interrupt({ action: script.write.name, args: { name } });
      if (!approvedSchema.safeParse(decision).success) return "The user declined.";
      return JSON.stringify(await onWrite(name));
    },
    { ...script.write, schema: z.object({ name: z.string() }) },
  );
  const tools = [find, rename];
  const model = new ScriptedChatModel(onAsked).bindTools();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }) => ({
      messages: [await model.invoke([new SystemMessage(script.instructions), ...messages])],
    }))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition, ["tools", END])
    .addEdge("tools", "model")
    .compile({ checkpointer });

  const of = (chat: string): { configurable: { thread_id: string } } => ({ configurable: { thread_id: chat } });
  const say = (chat: string, text: string): Promise<unknown> =>
    graph.invoke({ messages: [new HumanMessage(text)] }, of(chat));
  const resume = async ({ chat }: Held, decision: object): Promise<void> => {
    await graph.invoke(new Command({ resume: decision }), of(chat));
  };
  return {
    async ask(chat) {
      await say(chat, script.question);
    },
    async hold(chat, name) {
      await say(chat, `${script.wish}${name}`);
      return { chat, name, state: null };
    },
    approve: (held) => resume(held, { type: "approve" }),
    forge: (held, name) => resume(held, { type: "approve", args: { name } }),
    async recover(held) {
      // A run that failed is gone on with by calling the graph without input; where it then waits for the approval, its
      // person is asked for it as before.
      await graph.invoke(null, of(held.chat));
      const { tasks } = await graph.getState(of(held.chat));
      if (tasks.some(({ interrupts }) => interrupts.length > 0)) await resume(held, { type: "approve" });
      const state = (await graph.getState(of(held.chat))).values as typeof MessagesAnnotation.State;
      return state.messages.at(-1)?.text === script.done;
    },
    close: () => checkpointer.end(),
  };
};
export default openLangGraph;

const approvedSchema = z.object({ type: z.literal("approve") });

class ScriptedChatModel extends BaseChatModel {
  readonly #onAsked: () => void;

  constructor(onAsked: () => void) {
    super({});
    this.#onAsked = onAsked;
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const last = messages.at(-1);
    const question = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? "";
    const step = nextStep(question, ToolMessage.isInstance(last));
    if (step.kind === "answer") {
      return { generations: [{ text: step.text, message: new AIMessage({ content: step.text }) }] };
    }
    const { name, args } = step;
    if (name === script.write.name) this.#onAsked();
    const tool_calls = [{ id: `call_${crypto.randomUUID()}`, name, args, type: "tool_call" as const }];
    return { generations: [{ text: "", message: new AIMessage({ content: "", tool_calls }) }] };
  }
}
