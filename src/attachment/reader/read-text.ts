import { open } from "node:fs/promises";
import { fileKinds } from "../file-types.ts";
import { decodeText } from "./decode-text.ts";
import { createCollector, ReadFault, type ReadText } from "./reading.ts";

/** Reads a text file's beginning in whatever encoding it is. Throws `unsupported_type` for what is no text, and for pages and drawings that can run something. */
export async function readText(path: string, characters: number): Promise<ReadText & { readonly type: string }> {
  const most = characters * 4 + 4_096;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size === 0) throw new ReadFault("unreadable");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, most)), 0, Math.min(size, most), 0);
    const decoded = decodeText(buffer.subarray(0, bytesRead), { whole: size <= most });
    if (decoded === null || isActive(decoded, size <= most)) throw new ReadFault("unsupported_type");
    const text = decoded.replaceAll(/\r\n?/g, "\n");
    const collector = createCollector(characters);
    collector.add(text);
    const read = collector.end();
    return { text: read.text, cut: read.cut || size > most, type: toType(text, size <= most) };
  } finally {
    await file.close();
  }
}

/** Whether a browser would run it: a page of HTML or a drawing of SVG. A comment that goes on beyond what was read may hide one. */
function isActive(text: string, whole: boolean): boolean {
  const at = toFirstElement(text);
  if (at === null) return !whole;
  const head = text.slice(at, at + 100);
  return /^(?:<!doctype\s+(?:html|svg)|<(?:html|head|body|script|iframe|svg)[\s>/])/i.test(head);
}

/** Where comments and instructions at the beginning end, however many there are; null where the last has no end. */
function toFirstElement(text: string): number | null {
  const blank = /\s*/y;
  let at = 0;
  for (;;) {
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    const closing = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? "?>" : null;
    if (closing === null) return at;
    const end = text.indexOf(closing, at);
    if (end === -1) return null;
    at = end + closing.length;
  }
}

/** A guess for an icon and a word beside the name: nothing leans on it but what an admin allows. */
function toType(text: string, whole: boolean): string {
  if (looksLikeJson(text, whole)) return fileKinds.json;
  const delimiter = delimiterOf(text);
  if (delimiter === "\t") return "text/tab-separated-values";
  if (delimiter !== null) return fileKinds.csv;
  return looksLikeMarkdown(text) ? fileKinds.markdown : fileKinds.text;
}

const largestParsed = 1_000_000;

function looksLikeJson(text: string, whole: boolean): boolean {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return false;
  if (!whole || trimmed.length > largestParsed) return /^(?:\{\s*"|\[\s*[[{"\d-])/.test(trimmed);
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    return false;
  }
}

/** The character that stands equally often on each of the first lines, two columns at least. */
function delimiterOf(text: string): string | null {
  const lines = text
    .slice(0, 10_000)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 6);
  if (lines.length < 2) return null;
  for (const delimiter of ["\t", ";", ","]) {
    const counts = lines.map((line) => line.replaceAll(/"(?:[^"]|"")*"/g, "").split(delimiter).length - 1);
    const first = counts[0] ?? 0;
    // A sentence has commas too, but not as many on each line.
    if (first > 0 && counts.every((count) => count === first)) return delimiter;
  }
  return null;
}

function looksLikeMarkdown(text: string): boolean {
  const head = text.slice(0, 10_000);
  const signs = [/^#{1,6} \S/m, /^```/m, /\[[^\]\n]+\]\([^)\n]+\)/, /^\s*[-*] \S.*\n\s*[-*] \S/m, /\*\*\S[^*\n]*\*\*/];
  return signs.filter((sign) => sign.test(head)).length >= 2 || /^# \S/.test(head);
}
