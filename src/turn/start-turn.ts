import { randomUUID } from "node:crypto";
import { v7 as newId } from "uuid";
import type { AcquireTurn, AcquireTurnAnswer, Fence } from "../chat/chat.ts";
import { cleanText } from "../database/clean-text.ts";
import { describeError } from "../core/describe-error.ts";
import type { Consideration } from "../model/model.ts";
import { isBlank } from "../model/split-thinking.ts";
import { refused } from "../outcome.ts";
import type { SettingValues } from "../settings/schema.ts";
import type { SentFile } from "../wire/messages.ts";
import type { LiveTurnSetup } from "./live-turn.ts";
import { turnTask, type TurnRooms } from "./turn-rooms.ts";
import type { StartRefused, StartTurn } from "./turns.ts";

/** A turn that may run: its lock is held, its user may spend. */
export type Started = Omit<LiveTurnSetup, "telling" | "signal" | "onAsked">;

export type StartAnswer =
  | { readonly ok: true; readonly started: Started }
  | { readonly ok: true; readonly known: string }
  | StartRefused;

/** Decides whether a turn starts: the refusals in their order, the user's lock, and under it what only a holder may be refused. Stores nothing but the lock and its turn, and takes both back when it refuses. */
export async function startTurn(
  rooms: TurnRooms,
  sessionRef: string,
  { request, isDraining }: { readonly request: StartTurn; isDraining(): boolean },
): Promise<StartAnswer> {
  if (isDraining()) return refused("shutting_down");
  const { conversationId, clientId, requestContext, attachmentIds: ids = [] } = request;
  const allowed = await rooms.chat.authorize(sessionRef);
  if (!allowed.ok) return allowed;
  const { session } = allowed;
  const { values } = await rooms.settings.forUser(session.userId);
  const text = cleanText(request.text);
  const wrong =
    isBlank(text) && ids.length === 0 ? "empty_message" : text.length > values.messageChars ? "message_too_long" : null;
  if (wrong !== null) {
    // The statement that takes the lock looks whether the chat is there; without it, that is still said first.
    const there = await rooms.chat.authorize(sessionRef, { conversationId });
    return there.ok ? refused(wrong) : there;
  }

  const admission = await rooms.models.consider(session.userId, turnTask);
  const lockedAt = performance.now();
  const turnId = newId();
  const acquired = await acquire(
    rooms,
    {
      session,
      conversationId,
      clientId,
      turnId,
      token: randomUUID(),
      deadlineSeconds: values.turnDeadline,
      perHour: values.turnsPerHour,
      perDay: values.turnsPerDay,
    },
    admission.statement,
  );
  if (!acquired.ok) {
    if (acquired.reason === "not_found") return acquired;
    if (acquired.reason === "already_started") return { ok: true, known: acquired.turnId };
    // What was said under the lock is looked at in its order, though one statement took the lock and counted.
    if (acquired.reason === "turn_limit") {
      return (await findFiles(rooms, request, { userId: session.userId, values })) === null
        ? refused("attachment_invalid")
        : acquired;
    }
    return { ...acquired, retryAfter: acquired.holder.retryAfter };
  }
  const { fence, beside } = acquired;
  try {
    const files = await findFiles(rooms, request, { userId: session.userId, values });
    if (files === null) {
      await discard(rooms, fence);
      return refused("attachment_invalid");
    }
    const admitted = await admission.judge(beside);
    if (admitted.ok && !isDraining()) {
      const started = { fence, turnId, session, text, files, requestContext, values, lockedAt };
      return { ok: true, started: { ...started, admission: admitted.admission } };
    }
    await discard(rooms, fence);
    return admitted.ok ? refused("shutting_down") : admitted;
  } catch (error) {
    await discard(rooms, fence);
    throw error;
  }
}

/** The files a start names; null unless every one can be sent. */
async function findFiles(
  { attachments }: TurnRooms,
  { conversationId, attachmentIds: ids = [] }: StartTurn,
  of: { readonly userId: string; readonly values: SettingValues },
): Promise<readonly SentFile[] | null> {
  if (ids.length === 0) return [];
  if (ids.length > of.values.attachmentsPerMessage) return null;
  return attachments.findReady(of.userId, { conversationId, ids });
}

/** An acquire whose answer was lost is asked for again: by its token it is done once. */
async function acquire(
  { chat }: TurnRooms,
  request: AcquireTurn,
  look: Consideration["statement"],
): Promise<AcquireTurnAnswer> {
  const again = async (): Promise<AcquireTurnAnswer> => {
    const answer = await chat.acquireForTurn(request, look);
    const { conversationId, token, turnId } = request;
    const isOwn = !answer.ok && answer.reason === "already_started" && answer.turnId === turnId;
    if (!isOwn) return answer;
    return { ok: true, fence: { userId: request.session.userId, conversationId, token, turnId }, beside: null };
  };
  try {
    return await chat.acquireForTurn(request, look);
  } catch {
    return again();
  }
}

/** Gives back the lock of a turn that was refused; should that fail, it lapses. */
async function discard({ chat, logger }: TurnRooms, fence: Fence): Promise<void> {
  try {
    await chat.discardTurn(fence);
  } catch (error) {
    logger.warn({ turnId: fence.turnId, error: describeError(error) }, "a refused turn keeps its lock until it lapses");
  }
}
