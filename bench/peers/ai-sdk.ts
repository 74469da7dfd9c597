import { ToolLoopAgent, tool, type ModelMessage } from "ai";
import { z } from "zod";
import { script, type Held, type OpenPeer } from "../peer.ts";
import { scriptedLanguageModel } from "./scripted-language-model.ts";

/** It stores nothing: a chat's messages are in its browser, which sends them all with each request. */
export function openAiSdk(signing: { readonly experimental_toolApprovalSecret?: string }): OpenPeer {
  return async ({ onAsked, onWrite }) => {
    const tools = {
      [script.read.name]: tool({
        description: script.read.description,
        inputSchema: z.object({}),
        execute: async () => script.found,
      }),
      [script.write.name]: tool({
        description: script.write.description,
        inputSchema: z.object({ name: z.string() }),
        execute: ({ name }) => onWrite(name),
      }),
    };
    const agent = new ToolLoopAgent({
      ...signing,
      model: scriptedLanguageModel(onAsked),
      instructions: script.instructions,
      tools,
      toolApproval: { [script.write.name]: "user-approval" },
    });
    const browsers = new Map<string, ModelMessage[]>();
    const approve = async (held: Held): Promise<boolean> => {
      const { messages, approvalId } = held.state as State;
      const content = [{ type: "tool-approval-response", approvalId, approved: true } as const];
      const result = await agent.generate({ messages: [...messages, { role: "tool", content }] });
      return result.text === script.done;
    };
    return {
      async ask(chat) {
        const before = browsers.get(chat) ?? [];
        const messages: ModelMessage[] = [...before, { role: "user", content: script.question }];
        const result = await agent.generate({ messages });
        browsers.set(chat, [...messages, ...result.responseMessages]);
      },
      async hold(chat, name) {
        const messages: ModelMessage[] = [{ role: "user", content: `${script.wish}${name}` }];
        const result = await agent.generate({ messages });
        const request = result.content.find((part) => part.type === "tool-approval-request");
        if (request === undefined) throw new Error("the write was not held");
        const state: State = { messages: [...messages, ...result.responseMessages], approvalId: request.approvalId };
        return { chat, name, state };
      },
      async approve(held) {
        await approve(held);
      },
      async forge(held, name) {
        const state: unknown = JSON.parse(JSON.stringify(held.state).replaceAll(held.name, name));
        await approve({ ...held, state });
      },
      // Nothing is known on the server: the browser sends its messages again.
      recover: approve,
      close: async () => undefined,
    };
  };
}
export default openAiSdk({});

interface State {
  readonly messages: ModelMessage[];
  readonly approvalId: string;
}
