import type { ServerEvent } from "../../src/wire/events.ts";
import type { NodeProcess } from "./node-process.ts";
import { sessionHeader } from "./office.ts";

/** What was seen from outside while a story ran: what the rows have to agree with afterwards. */
export interface Witness {
  /** Clicks on a card that were sent while its user might click. */
  readonly clicks: Set<string>;
  /** Messages told as stored, by id. */
  readonly shown: Map<string, { readonly conversationId: string; readonly seq: number }>;
  /** Chats their users deleted. */
  readonly deleted: Set<string>;
  /** What cannot be: told at once. */
  readonly problems: string[];
  /** How often each thing happened, so that a story in which nothing happens is noticed. */
  readonly seen: Map<string, number>;
  count(what: string): void;
}

export function createWitness(): Witness {
  const seen = new Map<string, number>();
  return {
    clicks: new Set(),
    shown: new Map(),
    deleted: new Set(),
    problems: [],
    seen,
    count: (what) => void seen.set(what, (seen.get(what) ?? 0) + 1),
  };
}

/** Watches a chat on one node until the stream ends; notes each message that is told as stored, and that none is left out. */
export async function watchOnce(
  node: NodeProcess,
  witness: Witness,
  at: { readonly ref: string; readonly conversationId: string; readonly after: number; readonly signal: AbortSignal },
): Promise<number> {
  const { ref, conversationId, signal } = at;
  let { after } = at;
  try {
    const answer = await fetch(`${node.origin}/assistant/conversations/${conversationId}/events?after=${after}`, {
      headers: { [sessionHeader]: ref },
      signal,
    });
    if (!answer.ok || answer.body === null) return after;
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of answer.body) {
      text += decoder.decode(chunk, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const data = frame.split("\n").find((line) => line.startsWith("data:"));
        if (data === undefined) continue;
        // An event of our own server.
        const event = JSON.parse(data.slice("data:".length)) as ServerEvent;
        if (event.type !== "message") continue;
        const { id, seq } = event.message;
        if (seq !== after + 1) witness.problems.push(`a watcher of ${conversationId} was told ${seq} after ${after}`);
        after = seq;
        witness.shown.set(id, { conversationId, seq });
        witness.count("messages watched");
      }
    }
  } catch {
    // The node is gone, or the story is over.
  }
  return after;
}
