import type { FileText } from "../attachment/attachments.ts";
import type { StoredMessage } from "../chat/stored-message.ts";
import type { CompleteAnswer, Picture } from "../model/model.ts";
import type { SentFile } from "../wire/messages.ts";
import { toPictureNote, withFileWords } from "./file-words.ts";
import type { LiveTurn } from "./live-turn.ts";
import type { TurnRooms } from "./turn-rooms.ts";

/** The message a turn answers, with what its files hold; the same in every round. */
export interface Question {
  readonly id: string;
  readonly text: string;
  readonly texts: readonly FileText[];
  readonly pictures: readonly { readonly file: SentFile; readonly bytes: Uint8Array | null }[];
}

export async function readQuestion(rooms: TurnRooms, live: LiveTurn, id: string): Promise<Question> {
  const { files, text } = live;
  if (files.length === 0) return { id, text, texts: [], pictures: [] };
  const { userId } = live.fence;
  const [texts, pictures] = await Promise.all([
    rooms.attachments.texts(userId, [id]),
    rooms.attachments.pictures(userId, { files: files.filter(({ picture }) => picture) }),
  ]);
  return { id, text, texts: texts.get(id) ?? [], pictures };
}

/** The question as a round sends it: pictures as image parts where the model sees them, a note in the place of any other. */
export function toQuestionParts(
  { text, texts, pictures }: Question,
  of: { readonly characters: number; readonly seen: boolean },
): { readonly text: string; readonly pictures: readonly Picture[] } {
  const notes = new Map(
    pictures.flatMap(({ file, bytes }) => {
      const why = of.seen ? (bytes === null ? "unmade" : null) : "unseen";
      return why === null ? [] : [[file.id, toPictureNote(file, why)] as const];
    }),
  );
  const told = texts.map((file) => {
    const note = notes.get(file.id);
    return note === undefined ? file : { ...file, note };
  });
  const parts = pictures.flatMap(({ file, bytes }): Picture[] =>
    of.seen && bytes !== null ? [{ mediaType: file.type, bytes }] : [],
  );
  return { text: withFileWords(text, told, of.characters), pictures: parts };
}

// What says nothing of the pictures, though it refuses the request.
const otherReasons: ReadonlySet<string> = new Set(["auth_failed", "payment_required", "model_not_found"]);
const refusals: ReadonlySet<number | null> = new Set([400, 413, 415, 422]);

/** Whether a call with pictures was refused as a request: the pictures may be why, and without them it can be sent again. */
export function isRefusedWithPictures(answer: Extract<CompleteAnswer, { readonly ok: false }>): boolean {
  return refusals.has(answer.status) && !otherReasons.has(answer.reason);
}

/** Of earlier messages with files, so many get their files' texts again, the newest first; of others the names alone are told. */
const mostRead = 20;

/** Earlier messages with the texts of their files. */
export async function withFilesOf(
  rooms: TurnRooms,
  live: LiveTurn,
  rows: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  const having = rows.filter(({ files }) => files.length > 0);
  if (having.length === 0) return rows;
  const ids = having.slice(-mostRead).map(({ id }) => id);
  const texts = await rooms.attachments.texts(live.fence.userId, ids);
  return rows.map((row) => {
    if (row.files.length === 0) return row;
    const gone = row.files.map(({ id, name, type }) => ({ id, name, type, text: "", cut: false }));
    return { ...row, text: withFileWords(row.text ?? "", texts.get(row.id) ?? gone, live.values.attachmentChars) };
  });
}
