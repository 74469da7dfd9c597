import { v7 as uuid } from "uuid";
import type { Session } from "../core/session.ts";
import type { CardNotice, Fence } from "./chat.ts";
import { askingForWrite, newChat, startTurn, type TestHost, type TestNode } from "./test-node.ts";

/** A chat with one waiting card: question, answer, card. */
export async function newCard(
  node: TestNode,
  host: TestHost,
): Promise<{
  readonly session: Session;
  readonly userId: string;
  readonly conversationId: string;
  readonly confirmationId: string;
  readonly cardId: string;
  notice(change?: Partial<CardNotice>): CardNotice;
  click(): Promise<Fence>;
}> {
  const place = await newChat(node, host);
  const asked = askingForWrite();
  const turn = await startTurn(node, place);
  await node.chat.finish(turn, { how: "card", rounds: 1, messages: asked.messages });
  const { conversationId } = place;
  const { confirmationId, cardId } = asked;
  const said = { conversationId, confirmationId, tool: "billing.void", outcome: "confirmed", finished: true } as const;
  return {
    ...place,
    confirmationId,
    cardId,
    notice: (change = {}) => ({ ...said, ...change }),
    async click() {
      const taken = await node.chat.acquireForClick({ session: place.session, conversationId, cardId, token: uuid() });
      if (!taken.ok) throw new Error(taken.reason);
      return taken.fence;
    },
  };
}
