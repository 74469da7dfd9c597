import { toMarkdownBlocks } from "./markdown-blocks.ts";

/** A piece of an answer, by how it is drawn: read as Markdown, as code that needs no reading, or as the text it is. */
export interface MarkdownPart {
  readonly kind: "markdown" | "code" | "plain";
  readonly text: string;
  /** The word behind a fence; empty where there is none. */
  readonly language: string;
}

/** Characters of an answer that are drawn: more would make the page slow to lay out. Copying gets all. */
export const longestDrawn = 200_000;
/** Characters of an answer that are read as Markdown. */
const longestRead = 60_000;
const mostBlocks = 1_000;
/** Characters and cells of one block that are read: a reader of Markdown takes time by more than its length. */
const longestBlock = 20_000;
const mostCells = 3_000;
/** Marks in a row with which no person writes, and on which a reader of Markdown would spend minutes. */
const runaway = /(?:[>*_~[!`]\s?){200}|(?:^|\n)(?:\s*(?:[-+*>]|\d{1,9}[.)])\s){40}|\n[ \t]{200}/;

/** The pieces of an answer, in order. Whatever a model writes, drawing them takes a bounded time. */
export function toMarkdownParts(text: string): readonly MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let read = 0;
  for (const block of toMarkdownBlocks(text.slice(0, longestDrawn))) {
    read += block.length;
    const isRead = read <= longestRead && parts.length < mostBlocks;
    const part = (isRead ? toCode(block) : null) ?? toText(block, isRead);
    const last = parts.at(-1);
    if (part.kind === "plain" && last?.kind === "plain") parts[parts.length - 1] = { ...last, text: last.text + block };
    else parts.push(part);
  }
  return parts;
}

function toText(text: string, isRead: boolean): MarkdownPart {
  return { kind: isRead && isReadable(text) ? "markdown" : "plain", text, language: "" };
}

function isReadable(block: string): boolean {
  return block.length <= longestBlock && !runaway.test(block) && block.split("|", mostCells + 1).length <= mostCells;
}

/** A block that is one fence and nothing else, open or closed: there is nothing in it to be read. */
function toCode(block: string): MarkdownPart | null {
  const [opening = "", mark = "", language = ""] = /^(`{3,}|~{3,})[ \t]*([\w+#.-]{0,30})[ \t]*\n/.exec(block) ?? [];
  if (opening === "") return null;
  const lines = block.slice(opening.length).split("\n");
  const end = lines.findIndex((line) => /^ {0,3}(`{3,}|~{3,})[ \t]*$/.test(line) && line.trim().startsWith(mark));
  if (end === -1) return { kind: "code", text: lines.join("\n"), language };
  if (lines.slice(end + 1).some((line) => line.trim() !== "")) return null;
  return { kind: "code", text: lines.slice(0, end).join("\n"), language };
}
