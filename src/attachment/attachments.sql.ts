import { sql, type Statement } from "../database/sql.ts";
import type { AttachmentState } from "../wire/api.ts";
import type { AttachmentCode } from "../wire/reasons.ts";

export interface AttachmentRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly message_id: string | null;
  readonly name: string;
  readonly type: string | null;
  readonly size: number;
  readonly state: AttachmentState;
  readonly code: AttachmentCode | null;
  readonly storage_key: string;
  readonly stored: boolean;
  readonly created_at: Date;
}

/** Held to the transaction's end: what a user's files take is counted by one at a time. */
export function lockWaiting(userId: string): Statement {
  return sql`select pg_advisory_xact_lock(hashtextextended(${`countersign.attachments.${userId}`}, 0))`;
}

export interface WaitingCount {
  /** Files that wait in the chat. */
  readonly files: number;
  /** Bytes of the user's waiting files, those still being received at what is kept free for them. */
  readonly bytes: number;
}

/** What waits. Of files that failed nothing is kept, but of interrupted ones. */
export function countWaiting(userId: string, conversationId: string): Statement {
  return sql`
select count(*) filter (where conversation_id = ${conversationId}::uuid and state <> 'failed')::int as files,
  coalesce(sum(size) filter (where state <> 'failed' or stored), 0)::bigint as bytes
from attachments
where user_id = ${userId} and message_id is null`;
}

export interface Lease {
  readonly userId: string;
  readonly id: string;
  readonly lease: string;
}

export function insertAttachment(
  of: Lease & {
    readonly conversationId: string;
    readonly name: string;
    readonly size: number;
    readonly storageKey: string;
    readonly leaseMs: number;
  },
): Statement {
  return sql`
insert into attachments (user_id, id, conversation_id, name, size, storage_key, lease, leased_until)
values (${of.userId}, ${of.id}::uuid, ${of.conversationId}::uuid, ${of.name}, ${of.size}::bigint, ${of.storageKey}::uuid, ${of.lease}::uuid,
  clock_timestamp() + ${of.leaseMs}::float8 * interval '1 millisecond')`;
}

export function keepLease(of: Lease, leaseMs: number): Statement {
  return sql`
update attachments set leased_until = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
where user_id = ${of.userId} and id = ${of.id}::uuid and lease = ${of.lease}::uuid
returning 1`;
}

/** The storage holds the file whole. No row: the lease is lost. */
export function startReading(of: Lease, size: number): Statement {
  return sql`
update attachments set state = 'reading', stored = true, size = ${size}::bigint
where user_id = ${of.userId} and id = ${of.id}::uuid and lease = ${of.lease}::uuid
returning 1`;
}

/** Takes a file that was interrupted to read it again. */
export function startReadingAgain(of: Lease, leaseMs: number): Statement {
  return sql`
update attachments set state = 'reading', code = null, lease = ${of.lease}::uuid,
  leased_until = clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond', unlinked_at = clock_timestamp()
where user_id = ${of.userId} and id = ${of.id}::uuid and state = 'failed' and code = 'interrupted' and stored
returning id, conversation_id, message_id, name, type, size, state, code, storage_key, stored, created_at`;
}

export function storeReading(
  of: Lease & { readonly type: string; readonly text: string | null; readonly cut: boolean },
): Statement {
  return sql`
update attachments set state = 'ready', lease = null, leased_until = null, type = ${of.type}, text = ${of.text}, text_cut = ${of.cut}
where user_id = ${of.userId} and id = ${of.id}::uuid and lease = ${of.lease}::uuid
returning 1`;
}

/** Ends a receiving or a reading. What cannot be read again is no longer in the storage. */
export function storeFailure(of: Lease, code: AttachmentCode): Statement {
  return sql`
update attachments set state = 'failed', lease = null, leased_until = null, code = ${code}, stored = stored and ${code} = 'interrupted'
where user_id = ${of.userId} and id = ${of.id}::uuid and lease = ${of.lease}::uuid
returning 1`;
}

export function readAttachment(userId: string, id: string): Statement {
  return sql`
select id, conversation_id, message_id, name, type, size, state, code, storage_key, stored, created_at
from attachments
where user_id = ${userId} and id = ${id}::uuid`;
}

export function readWaiting(userId: string, conversationId: string): Statement {
  return sql`
select id, conversation_id, message_id, name, type, size, state, code, storage_key, stored, created_at
from attachments
where user_id = ${userId} and conversation_id = ${conversationId}::uuid and message_id is null
order by id
limit 100`;
}

export function readReady(userId: string, conversationId: string, ids: readonly string[]): Statement {
  return sql`
select id, conversation_id, message_id, name, type, size, state, code, storage_key, stored, created_at
from attachments
where user_id = ${userId} and id = any(${ids}::uuid[]) and conversation_id = ${conversationId}::uuid and message_id is null and state = 'ready'`;
}

/** Links what still waits; fewer rows than ids means that nothing may be stored. */
export function linkAttachments(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly messageId: string;
  readonly ids: readonly string[];
}): Statement {
  return sql`
update attachments set message_id = ${of.messageId}::uuid, unlinked_at = null
where user_id = ${of.userId} and id = any(${of.ids}::uuid[]) and conversation_id = ${of.conversationId}::uuid
  and message_id is null and state = 'ready'
returning id`;
}

export function unlinkAttachments(userId: string, messageId: string): Statement {
  return sql`
update attachments set message_id = null, unlinked_at = clock_timestamp()
where user_id = ${userId} and message_id = ${messageId}::uuid`;
}

export function touchWaiting(userId: string, ids: readonly string[]): Statement {
  return sql`
update attachments set unlinked_at = clock_timestamp()
where user_id = ${userId} and id = any(${ids}::uuid[]) and message_id is null`;
}

export interface TextRow {
  readonly id: string;
  readonly message_id: string;
  readonly name: string;
  readonly type: string;
  readonly text: string | null;
  readonly text_cut: boolean;
}

export function readTexts(userId: string, messageIds: readonly string[]): Statement {
  return sql`
select id, message_id, name, type, text, text_cut
from attachments
where user_id = ${userId} and message_id = any(${messageIds}::uuid[])
order by id`;
}

export interface StoredObject {
  readonly user_id: string;
  readonly id: string;
  readonly storage_key: string;
}

export function readStorageKeys(userId: string, ids: readonly string[]): Statement {
  return sql`select user_id, id, storage_key from attachments where user_id = ${userId} and id = any(${ids}::uuid[])`;
}

/** Takes a waiting file's row; what the storage holds goes before. */
export function deleteAttachment(userId: string, id: string): Statement {
  return sql`delete from attachments where user_id = ${userId} and id = ${id}::uuid returning 1`;
}

/** So that no turn links it while it is being deleted, and whoever receives or reads it stops. */
export function claimWaiting(of: Lease): Statement {
  return sql`
update attachments set state = 'failed', code = 'interrupted', stored = false, lease = null, leased_until = null
where user_id = ${of.userId} and id = ${of.id}::uuid and message_id is null
returning user_id, id, storage_key`;
}

export function readOfChat(of: {
  readonly userId: string;
  readonly conversationId: string;
  readonly limit: number;
}): Statement {
  return sql`
select user_id, id, storage_key from attachments
where user_id = ${of.userId} and conversation_id = ${of.conversationId}::uuid
limit ${of.limit}::int`;
}

export function readOfUser(userId: string, limit: number): Statement {
  return sql`select user_id, id, storage_key from attachments where user_id = ${userId} limit ${limit}::int`;
}

/** Ends what lost its lease: the node that received or read it died. */
export function sweepLeases(limit: number): Statement {
  return sql`
with lapsed as materialized (
  select user_id, id from attachments
  where leased_until < (select clock_timestamp())
  order by leased_until
  limit ${limit}::int
)
update attachments a set state = 'failed', code = 'interrupted', lease = null, leased_until = null
from lapsed
where a.user_id = lapsed.user_id and a.id = lapsed.id and a.leased_until < clock_timestamp()
returning 1`;
}

/** Claims files that were never sent, so that no turn links one while it is being deleted. Their rows go after what the storage holds; a sweep that dies in between is done again. */
export function claimUnsent(keepHours: number, limit: number): Statement {
  return sql`
with old as materialized (
  select user_id, id from attachments
  where unlinked_at < (select clock_timestamp() - ${keepHours}::float8 * interval '1 hour')
  order by unlinked_at
  limit ${limit}::int
)
update attachments a set state = 'failed', code = 'interrupted', stored = false, lease = null, leased_until = null
from old
where a.user_id = old.user_id and a.id = old.id and a.unlinked_at < clock_timestamp() - ${keepHours}::float8 * interval '1 hour'
returning a.user_id, a.id, a.storage_key`;
}
