import { randomUUID } from "node:crypto";
import { sql, type Statement } from "../../src/database/sql.ts";

export type Row = Readonly<Record<string, unknown>>;

export const id = randomUUID();
export const chat = randomUUID();
export const other = randomUUID();
export const at = "2026-01-01T00:00:00Z";
const user = { user_id: "anna", id };

/** The simplest row of each table that is taken. */
export const base = {
  conversations: { ...user, id: chat, renamed: false, last_seq: 0, created_at: at },
  turns: {
    ...user,
    conversation_id: chat,
    client_id: "c",
    session_hash: "s",
    node: "n",
    token: id,
    rounds: 0,
    deadline_at: at,
    started_at: at,
  },
  messages: { ...user, conversation_id: chat, seq: 1, role: "user", text: "hello", told: false, created_at: at },
  locks: { user_id: "anna", kind: "click", token: id, conversation_id: chat, node: "n", kept_at: at },
  confirmations: {
    ...user,
    session_hash: "s",
    module: "billing",
    tool: "billing.void",
    tool_title: "Void",
    args_hash: "h",
    preview: {},
    fingerprint: "f",
    status: "held",
    created_at: at,
    expires_at: at,
  },
  tool_calls: {
    ...user,
    at,
    session_hash: "s",
    tool: "billing.void",
    kind: "write",
    step: "hold",
    via: "agent",
    request_id: "r",
  },
  endpoints: {
    user_id: "",
    name: "main",
    provider: "openai",
    model: "m",
    capabilities: {},
    defaults: {},
    enabled: true,
    version: 1,
    changed_at: at,
  },
  ai_requests: {
    ...user,
    at,
    source: "turn",
    task: "answer",
    endpoint: "main",
    model_asked: "m",
    status: "running",
    attempts: 0,
    reserved_micros: 0,
    node: "n",
    kept_at: at,
  },
  attachments: {
    ...user,
    conversation_id: chat,
    name: "a.txt",
    type: "text/plain",
    size: 1,
    state: "ready",
    unlinked_at: at,
    text_cut: false,
    storage_key: id,
    stored: true,
    created_at: at,
  },
  spend: { user_id: "anna", period: "2026-01-01", spent_micros: 0, reserved_micros: 0 },
  migrations: { user_id: "", number: 9_999, name: "x", checksum: "x", applied_at: at },
} as const satisfies Record<string, Row>;

export type Table = keyof typeof base;

/** Inserts a row as given: a column that is missing is null. */
export const insert: Readonly<Record<Table, (row: Row) => Statement>> = {
  conversations: (row) =>
    sql`insert into conversations select * from jsonb_populate_record(null::conversations, ${row})`,
  turns: (row) => sql`insert into turns select * from jsonb_populate_record(null::turns, ${row})`,
  messages: (row) => sql`insert into messages select * from jsonb_populate_record(null::messages, ${row})`,
  locks: (row) => sql`insert into locks select * from jsonb_populate_record(null::locks, ${row})`,
  confirmations: (row) =>
    sql`insert into confirmations select * from jsonb_populate_record(null::confirmations, ${row})`,
  tool_calls: (row) => sql`insert into tool_calls select * from jsonb_populate_record(null::tool_calls, ${row})`,
  endpoints: (row) => sql`insert into endpoints select * from jsonb_populate_record(null::endpoints, ${row})`,
  ai_requests: (row) => sql`insert into ai_requests select * from jsonb_populate_record(null::ai_requests, ${row})`,
  attachments: (row) => sql`insert into attachments select * from jsonb_populate_record(null::attachments, ${row})`,
  spend: (row) => sql`insert into spend select * from jsonb_populate_record(null::spend, ${row})`,
  migrations: (row) => sql`insert into migrations select * from jsonb_populate_record(null::migrations, ${row})`,
};
