import type { Session } from "../core/session.ts";
import type { ServerEvent } from "../wire/events.ts";
import type { TestNode } from "./test-node.ts";

export interface Watched {
  readonly events: ServerEvent[];
  readonly frames: string[];
  readonly done: Promise<void>;
  readonly seqs: readonly number[];
  leave(): void;
}

export async function watch(
  node: TestNode,
  place: { readonly session: Session; readonly conversationId: string },
  options: { readonly afterSeq?: number | null; readonly takes?: () => boolean } = {},
): Promise<Watched> {
  const events: ServerEvent[] = [];
  const frames: string[] = [];
  const leaving = new AbortController();
  const answered = await node.chat.watch(place.session.ref, {
    conversationId: place.conversationId,
    afterSeq: options.afterSeq ?? null,
    signal: leaving.signal,
    send(encoded) {
      if (options.takes?.() === false) return false;
      frames.push(encoded);
      events.push(JSON.parse(encoded.slice(encoded.indexOf("data: ") + 6)) as ServerEvent);
      return true;
    },
  });
  if (!answered.ok) throw new Error(answered.reason);
  return {
    events,
    frames,
    done: answered.done,
    get seqs() {
      return events.flatMap((event) => (event.type === "message" ? [event.message.seq] : []));
    },
    leave: () => leaving.abort(),
  };
}

export const upTo = (last: number, first = 1): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, n) => n + first);

export function ofType<Type extends ServerEvent["type"]>(
  watched: Watched,
  type: Type,
): readonly Extract<ServerEvent, { readonly type: Type }>[] {
  return watched.events.filter((event): event is Extract<ServerEvent, { readonly type: Type }> => event.type === type);
}
