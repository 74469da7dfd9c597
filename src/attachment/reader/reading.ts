import type { AttachmentCode } from "../../wire/reasons.ts";

/** What a child process is asked to read, as its one argument. */
export interface ReadJob {
  readonly path: string;
  /** Where a picture and its thumbnail are written. */
  readonly picturePath: string;
  readonly thumbnailPath: string;
  /** The most text it answers, in UTF-16 units. */
  readonly characters: number;
  readonly timeMs: number;
  readonly memoryBytes: number;
}

/** What it answers, as one line of JSON. */
export type Reading =
  | { readonly ok: true; readonly type: string; readonly text: string; readonly cut: boolean }
  | ({ readonly ok: true } & ReadPicture)
  | { readonly ok: false; readonly code: Exclude<AttachmentCode, "interrupted"> };

/** What the process took at most, beside what it answers. */
export interface Measured {
  readonly peakBytes: number;
}

/** Why the watchdog ended the process: a line of JSON on the third pipe. */
export interface Verdict extends Measured {
  readonly code: "too_large" | "timeout";
}
export const verdictFd = 3;

/** A picture that was made anew: the type it was found in, and its own. */
export interface ReadPicture {
  readonly found: string;
  readonly type: string;
  readonly picture: { readonly width: number; readonly height: number };
}

/** Text of a file, as far as it was read. */
export interface ReadText {
  readonly text: string;
  readonly cut: boolean;
}

/** Thrown by a reader for a file that cannot be taken; anything else that is thrown counts as unreadable. */
export class ReadFault extends Error {
  readonly code: Exclude<AttachmentCode, "interrupted">;
  constructor(code: Exclude<AttachmentCode, "interrupted">) {
    super(code);
    this.code = code;
  }
}

/** Collects text up to a limit. */
export interface Collector {
  /** False once nothing more is taken. */
  add(text: string): boolean;
  readonly full: boolean;
  end(): ReadText;
}

export function createCollector(characters: number): Collector {
  const pieces: string[] = [];
  let left = characters;
  let cut = false;
  return {
    add(text) {
      if (text.length > left) cut = true;
      if (left > 0) pieces.push(text.slice(0, left));
      left = Math.max(0, left - text.length);
      return !cut;
    },
    get full() {
      return cut;
    },
    end: () => ({ text: pieces.join("").toWellFormed(), cut }),
  };
}
