import { finishTurn } from "../../src/chat/finish.sql.ts";
import { keepLock } from "../../src/chat/lock.sql.ts";
import { storeMessages } from "../../src/chat/store.sql.ts";
import { storeQuestion } from "../../src/chat/store-question.sql.ts";
import { tellCard } from "../../src/chat/tell-card.sql.ts";
import { endSpent, insertHeld, spendHeld } from "../../src/core/confirmations.sql.ts";
import type { ToolCallRow } from "../../src/core/tool-calls.sql.ts";
import { beginRequest, endRequest, type EndRow } from "../../src/model/journal.sql.ts";

// The statements at which something is done to a node, each known by its text, which does not hang on its values.

const id = "00000000-0000-7000-8000-000000000000";
const fence = { userId: "", conversationId: id, token: id };
const call: ToolCallRow = {
  ...{ id, userId: "", sessionHash: "", tool: "", kind: "write", step: "redeem", via: "", requestId: "" },
  confirmationId: id,
};
const held = { id, module: "", toolTitle: "", argsHash: "", shown: "{}", fingerprint: "", ttlSeconds: 1 };
const limits = { userDay: null, userMonth: null, siteDay: null, siteMonth: null, flagLimit: 0, flagWindowSeconds: 1 };
const begun = {
  ...{ userId: "", id, source: "", task: "", messageId: id, turnId: id, endpoint: "", modelAsked: "", node: "" },
  ...{ reserveMicros: 0, counts: false, refusal: null, limits },
};
const unknown = { inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null, costMicros: null };
const ended: EndRow = {
  ...{ userId: "", id, status: "ok", code: null, httpStatus: null, attempts: 1, modelAnswered: null, content: null },
  ...{ ...unknown, providerRequestId: null, countMicros: null, latencyMs: null, firstTokenMs: null, lapsedMs: null },
};

export const texts = {
  question: storeQuestion({ ...fence, ...{ id, text: "", title: null, files: null } }).text,
  messages: storeMessages({ ...fence, rows: [] }).text,
  turnEnd: finishTurn({ ...fence, how: "", rounds: 0, rows: [] }).text,
  keep: keepLock(fence).text,
  notice: tellCard({
    ...{ userId: "", conversationId: id, confirmationId: id, tool: "", outcome: "", finished: true, noticeId: id },
    ...{ nextConfirmationId: null, nextCardId: id, releaseToken: null },
  }).text,
  hold: insertHeld({ ...held, locale: "", timeZone: "" }, call, 0).text,
  spend: spendHeld(call, 1, 1).text,
  handlerEnd: endSpent(call, { succeeded: true, code: null, durationMs: 0, flush: "on" }).text,
  modelCall: beginRequest(begun).text,
  modelAnswer: endRequest(ended).text,
} as const;
