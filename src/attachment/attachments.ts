import type { Queryable } from "../database/database.ts";
import type { Outcome } from "../outcome.ts";
import type { Attachment } from "../wire/api.ts";
import type { SentFile } from "../wire/messages.ts";
import type { ActRefusal, AttachmentRefusal } from "../wire/reasons.ts";

/**
 * Files: received, read, linked to a message, given back, deleted. Owns attachments. Decides what a file is by its content
 * and what text or picture of it a model may get; which model sees them, and when a message is sent, is the turn's.
 */
export interface Attachments {
  // --- for their owner
  /** Receives one file as it comes and begins to read it; answers after a moment, ready or not. */
  upload(sessionRef: string, upload: Upload): Promise<Outcome<{ readonly attachment: Attachment }, AttachmentRefusal>>;
  /** The files of a chat that were not sent, in the order in which they came. */
  waiting(
    sessionRef: string,
    of: { readonly conversationId: string },
  ): Promise<Outcome<{ readonly attachments: readonly Attachment[] }, ActRefusal>>;
  /** Takes a file out of the composer. `file_sent`: it is part of a message. */
  remove(
    sessionRef: string,
    target: { readonly attachmentId: string },
  ): Promise<Outcome<object, ActRefusal | "file_sent">>;
  /** Reads a file again whose reading was interrupted. */
  readAgain(
    sessionRef: string,
    target: { readonly attachmentId: string },
  ): Promise<Outcome<{ readonly attachment: Attachment }, ActRefusal | "file_not_readable" | "shutting_down">>;
  /** The content, or a picture's thumbnail. */
  download(
    sessionRef: string,
    target: { readonly attachmentId: string; readonly thumbnail: boolean },
  ): Promise<Outcome<Download, ActRefusal>>;

  // --- for a turn
  /** The files named, in that order, if every one waits in this chat and is ready; else null. */
  findReady(
    userId: string,
    of: { readonly conversationId: string; readonly ids: readonly string[] },
  ): Promise<readonly SentFile[] | null>;
  /** Links files to a message, within the transaction that stores it. False: not all of them wait any more, and nothing may be stored. */
  link(on: Queryable, link: Link): Promise<boolean>;
  /** Gives a message's files back to the composer, within the transaction that takes them off it; their time to wait begins anew. */
  giveBack(on: Queryable, of: { readonly userId: string; readonly messageId: string }): Promise<void>;
  /** Files that were named and not sent: their time to wait begins anew. */
  keepWaiting(userId: string, ids: readonly string[]): Promise<void>;
  /** The texts of the files of these messages, by message, in the order in which they were sent. */
  texts(userId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, readonly FileText[]>>;
  /** The pictures of a message; null in the place of one that cannot be made. */
  pictures(
    userId: string,
    of: { readonly files: readonly SentFile[] },
  ): Promise<readonly { readonly file: SentFile; readonly bytes: Uint8Array | null }[]>;

  // --- keeping house
  /** Ends what lost its lease, and deletes files that were never sent. */
  sweep(): Promise<void>;
  /** Deletes the files of a chat that is beyond taking back. */
  forgetChat(userId: string, conversationId: string): Promise<void>;
  forgetUser(userId: string): Promise<void>;
  /** Resolves when no file is received or read on this node. */
  idle(): Promise<void>;
  /** Refuses new files. */
  drain(): void;
  /** Ends readings under way: such files read as interrupted, and can be read again. */
  close(): Promise<void>;
}

export interface Upload {
  readonly conversationId: string;
  /** As the browser says it; only ever shown. */
  readonly name: string;
  /** Bytes, where the request says so. */
  readonly size: number | null;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal;
}

export interface Link {
  readonly userId: string;
  readonly conversationId: string;
  readonly messageId: string;
  readonly ids: readonly string[];
}

export interface Download {
  readonly name: string;
  readonly type: string;
  /** Whether a browser may show it in a page: a picture that was made here. */
  readonly inline: boolean;
  readonly stream: ReadableStream<Uint8Array>;
}

export interface FileText {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly text: string;
  /** Whether the file holds more text. */
  readonly cut: boolean;
}
