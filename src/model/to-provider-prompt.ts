import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { Prompt, PromptCall, PromptMessage } from "./model.ts";
import { isBlank } from "./split-thinking.ts";

/** What stands in a call's opaque `providerMetadata`: the provider's own beside the call, and the reasoning before it. */
export interface CallMetadata {
  readonly own?: SharedV4ProviderMetadata;
  readonly reasoning?: readonly { readonly text: string; readonly own?: SharedV4ProviderMetadata }[];
}

/** Our prompt in the provider interface's words: one system message, first, and never a blank text. */
export function toProviderPrompt(prompt: Prompt): LanguageModelV4Prompt {
  const messages: LanguageModelV4Message[] = [];
  if (!isBlank(prompt.system)) messages.push({ role: "system", content: prompt.system });
  for (const message of prompt.messages) {
    const one = toMessage(message);
    if (one.content.length > 0) messages.push(one);
  }
  return withCacheMarks(messages);
}

/** Where Anthropic may keep what it has read: after the system prompt with the tools, and at the end, for the next round. */
const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

function withCacheMarks(messages: readonly LanguageModelV4Message[]): LanguageModelV4Prompt {
  return messages.map((message, index) =>
    message.role === "system" || index === messages.length - 1 ? { ...message, providerOptions: cacheMark } : message,
  );
}

function toMessage(message: PromptMessage): LanguageModelV4Message {
  if (message.role === "user") {
    const pictures = (message.pictures ?? []).map(({ mediaType, bytes }) => ({
      type: "file" as const,
      mediaType,
      data: { type: "data" as const, data: bytes },
    }));
    return { role: "user", content: [...toText(message.text), ...pictures] };
  }
  if (message.role === "assistant") {
    return { role: "assistant", content: [...toText(message.text), ...message.calls.flatMap(toCall)] };
  }
  return {
    role: "tool",
    content: message.results.map(({ callId, name, text }) => ({
      type: "tool-result",
      toolCallId: callId,
      toolName: name,
      output: { type: "text", value: text },
    })),
  };
}

function toText(text: string): LanguageModelV4TextPart[] {
  return isBlank(text) ? [] : [{ type: "text", text }];
}

function toCall(call: PromptCall): (LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart)[] {
  const { own, reasoning } = (call.providerMetadata ?? {}) as CallMetadata;
  const thoughts = (reasoning ?? []).map((thought): LanguageModelV4ReasoningPart => ({
    type: "reasoning",
    text: thought.text,
    ...(thought.own && { providerOptions: thought.own }),
  }));
  return [
    ...thoughts,
    {
      type: "tool-call",
      toolCallId: call.id,
      toolName: call.name,
      input: call.arguments,
      ...(own && { providerOptions: own }),
    },
  ];
}
