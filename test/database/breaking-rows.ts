import { at, chat, id, other, type Row, type Table } from "./rows.ts";

/** A rule, and a row (over the table's simplest) that would break it, by the constraint that refuses it. */
export interface BreakingRow {
  readonly rule: string;
  readonly table: Table;
  readonly row: Row;
  readonly constraint: string;
  /** A row that is stored before. */
  readonly after?: Row | undefined;
}

const next = { id: other };
const ended = { ended_at: at, how: "answer" };
const result = { role: "tool", tool_status: "ok", tool_name: "t", tool_call_id: "1", assistant_message_id: other };
export const card = { ...result, tool_status: "needs_confirmation", confirmation_id: other };
export const told = {
  role: "notice",
  confirmation_id: other,
  tool_outcome: "confirmed",
  tool_name: "t",
  finished: true,
};
export const used = { status: "used", preview: null, used_at: at, spent_by: other, run_until: at };
export const rejected = { status: "rejected", preview: null, rejected_at: at };
export const replaced = { status: "replaced", preview: null, replaced_by: other };

type Line = readonly [rule: string, row: Row, constraint: string, after?: Row];

const messages: readonly Line[] = [
  ["a seq is given once in a chat", next, "messages_seq", {}],
  ["a confirmation has one notice in its chat", { ...told, ...next, seq: 2 }, "messages_one_notice", told],
  ["a confirmation has one card in its chat", { ...card, ...next, seq: 2 }, "messages_one_card", card],
  [
    "a card has one successor",
    { ...card, ...next, seq: 2, confirmation_id: id, follows_id: chat },
    "messages_one_follower",
    { ...card, follows_id: chat },
  ],
  ["a role is one of four", { role: "system" }, "messages_role"],
  ["a tool's status is one of four", { ...result, tool_status: "running" }, "messages_tool_status"],
  ["an outcome is one of five", { ...told, tool_outcome: "done" }, "messages_outcome"],
  ["a result has its status", { ...result, tool_status: null }, "messages_tool"],
  ["a result has its tool", { ...result, tool_name: null }, "messages_tool"],
  ["a result has its call", { ...result, tool_call_id: null }, "messages_tool"],
  ["a result has its answer", { ...result, assistant_message_id: null }, "messages_tool"],
  ["a card has its tool", { ...card, tool_name: null }, "messages_tool"],
  ["a card has its call", { ...card, tool_call_id: null }, "messages_tool"],
  ["a card has its answer", { ...card, assistant_message_id: null }, "messages_tool"],
  ["a card has its confirmation", { ...card, confirmation_id: null }, "messages_card"],
  ["only a tool's message is a card", { ...card, role: "assistant" }, "messages_card"],
  ["a card's notice has its outcome", { ...told, tool_outcome: null }, "messages_card_notice"],
  ["a card's notice has its tool", { ...told, tool_name: null }, "messages_card_notice"],
  ["a card's notice says whether it finished", { ...told, finished: null }, "messages_card_notice"],
  ["a notice has a code or is of a card", { role: "notice" }, "messages_notice"],
  ["only a card is told", { ...result, told: true }, "messages_told"],
  ["only a user's message has files", { ...result, files: [] }, "messages_files"],
  ["a message's files are a list", { files: {} }, "messages_files"],
  ["a message is in a chat of its own user", { user_id: "carl" }, "messages_user_id_conversation_id_fkey"],
];

const turns: readonly Line[] = [
  ["a user has one turn that has not ended", { ...next, client_id: "d" }, "turns_one_open", {}],
  ["a send starts one turn, however often it comes", { ...ended, ...next }, "turns_client", ended],
  ["a turn that ended says how", { ended_at: at }, "turns_ended_has_how"],
  ["a turn that has not ended says no end", { how: "answer" }, "turns_ended_has_how"],
  ["a turn's end is one of seven", { ...ended, how: "ok" }, "turns_how"],
  ["a turn is in a chat of its own user", { user_id: "carl" }, "turns_user_id_conversation_id_fkey"],
];

const locks: readonly Line[] = [
  ["a user has one lock", { kind: "turn", turn_id: id }, "locks_pkey", {}],
  ["a lock is a turn's or a click's", { kind: "file" }, "locks_kind"],
  ["a turn's lock names its turn", { kind: "turn" }, "locks_turn"],
  ["a click's lock names no turn", { turn_id: id }, "locks_turn"],
];

const unspent = { used_at: null, spent_by: null, run_until: null };
const confirmations: readonly Line[] = [
  ["a row's status is one of five", { status: "open", preview: null }, "confirmations_status"],
  ["a used row has its time", { ...used, ...unspent }, "confirmations_used"],
  ["a held row has no time of use", { ...used, status: "held" }, "confirmations_used"],
  ["a used row knows what spent it", { ...used, spent_by: null }, "confirmations_spent"],
  ["a used row knows until when its handler may run", { ...used, run_until: null }, "confirmations_spent"],
  ["a rejected row has its time", { ...rejected, rejected_at: null }, "confirmations_rejected"],
  ["a replaced row was not rejected", { ...replaced, rejected_at: at }, "confirmations_rejected"],
  ["a replaced row names the new one", { ...replaced, replaced_by: null }, "confirmations_replaced"],
  ["a used row names no new one", { ...used, replaced_by: other }, "confirmations_replaced"],
  ["a row replaces one other", { ...replaced, ...next }, "confirmations_replaced_by", replaced],
  ["a settled row keeps no preview", { ...used, preview: {} }, "confirmations_preview"],
  ["a handler's end says whether it succeeded", { ...used, finished_at: at }, "confirmations_ended"],
];

const reading = { state: "reading", type: null, lease: id, leased_until: at };
const failed = { state: "failed", code: "unreadable" };
const attachments: readonly Line[] = [
  ["a file's state is one of four", { state: "sent" }, "attachments_state"],
  ["a file fails with one of six codes", { ...failed, code: "bad" }, "attachments_code"],
  ["a file that failed says why", { ...failed, code: null }, "attachments_failed"],
  ["a file that is ready did not fail", { code: "timeout" }, "attachments_failed"],
  ["a file that is read has a lease", { ...reading, lease: null }, "attachments_leased"],
  ["a lease has its end", { ...reading, leased_until: null }, "attachments_leased"],
  ["a file that is ready has no lease", { lease: id, leased_until: at }, "attachments_leased"],
  ["a file that is ready has a type", { type: null }, "attachments_ready"],
  ["a file waits or was sent", { unlinked_at: null }, "attachments_linked"],
  ["a file that was sent does not wait", { message_id: other }, "attachments_linked"],
  ["only a file that is ready is sent", { ...failed, message_id: other, unlinked_at: null }, "attachments_sent"],
  ["no file is smaller than nothing", { size: -1 }, "attachments_size"],
  ["a name in the storage is given once", next, "attachments_storage_key", {}],
  ["a file is in a chat of its own user", { user_id: "carl" }, "attachments_user_id_conversation_id_fkey"],
];

function of(table: Table, lines: readonly Line[]): readonly BreakingRow[] {
  return lines.map(([rule, row, constraint, after]) => ({ rule, table, row, constraint, after }));
}

export const breakingRows: readonly BreakingRow[] = [
  ...of("messages", messages),
  ...of("turns", turns),
  ...of("locks", locks),
  ...of("confirmations", confirmations),
  ...of("attachments", attachments),
  ...of("tool_calls", [
    ["a call's kind is one of three", { kind: "x" }, "tool_calls_kind"],
    ["a call's step is one of four", { step: "x" }, "tool_calls_step"],
  ]),
  ...of("endpoints", [["an endpoint is the site's", { user_id: "anna" }, "endpoints_site"]]),
  ...of("ai_requests", [
    ["a request's status is one of five", { status: "x", ended_at: at }, "ai_requests_status"],
    ["a request that ended has its time", { status: "ok" }, "ai_requests_ended"],
  ]),
  ...of("spend", [
    ["nothing negative is spent", { spent_micros: -1 }, "spend_amounts"],
    ["nothing negative is reserved", { reserved_micros: -1 }, "spend_amounts"],
  ]),
  ...of("migrations", [["a migration is the site's", { user_id: "anna" }, "migrations_user_id_check"]]),
];
