import { guessEncoding } from "./guess-encoding.ts";

/** The text of bytes in any common encoding; null for what is no text. `whole`: no character is cut off at the end. */
export function decodeText(bytes: Uint8Array, { whole }: { readonly whole: boolean }): string | null {
  const encoding = encodingOf(bytes, whole);
  if (encoding === null) return null;
  const text = new TextDecoder(encoding).decode(bytes).replace(/^\uFEFF/, "");
  if (isBinary(text)) return null;
  return text.replaceAll("\0", "");
}

function encodingOf(bytes: Uint8Array, whole: boolean): string | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  // UTF-32 begins like UTF-16; nobody writes files in it, and no decoder here knows it.
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? null : "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const wide = wideOf(bytes);
  if (wide !== null) return wide;
  const nuls = nulsOnOneSide(bytes);
  if (nuls !== null && isBinary(new TextDecoder().decode(bytes))) return nuls;
  const { broken, characters } = checkUtf8(bytes, whole);
  // Much that is right and little that is wrong is UTF-8 with a flaw; its flaws read as U+FFFD.
  if (broken === 0 || characters > broken * 4) return "utf-8";
  return guessEncoding(bytes);
}

/** UTF-16 without a mark: every other byte of Latin text is 0. */
function wideOf(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 4_096);
  let even = 0;
  let odd = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const half = sample.length / 2;
  if (half < 2) return null;
  if (odd > half * 0.4 && even < half * 0.05) return "utf-16le";
  if (even > half * 0.4 && odd < half * 0.05) return "utf-16be";
  return null;
}

/**
 * UTF-16 without a mark in other letters than Latin ones: what stands between words has a 0 on one side, and only there.
 * Bytes that are text as they are have no need of it.
 */
function nulsOnOneSide(bytes: Uint8Array): string | null {
  const sides = [0, 0];
  for (const [index, byte] of bytes.subarray(0, 65_536).entries()) {
    if (byte === 0) sides[index % 2] = (sides[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = sides;
  if ((even === 0) === (odd === 0) || bytes.length % 2 !== 0) return null;
  const encoding = odd > 0 ? "utf-16le" : "utf-16be";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return /^[^\p{Cn}\p{Co}]*$/u.test(text) ? encoding : null;
  } catch {
    return null;
  }
}

/** How many sequences of several bytes are well formed, and how many bytes belong to none. */
function checkUtf8(bytes: Uint8Array, whole: boolean): { readonly broken: number; readonly characters: number } {
  let broken = 0;
  let characters = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const length =
      byte < 0x80
        ? 1
        : byte >= 0xc2 && byte < 0xe0
          ? 2
          : byte >= 0xe0 && byte < 0xf0
            ? 3
            : byte >= 0xf0 && byte < 0xf5
              ? 4
              : 0;
    if (length === 1) {
      at += 1;
      continue;
    }
    const rest = bytes.subarray(at + 1, at + length);
    const good = length > 0 && rest.every((next) => next >= 0x80 && next < 0xc0);
    if (good && rest.length < length - 1 && !whole) break;
    if (good && rest.length === length - 1) {
      characters += 1;
      at += length;
    } else {
      broken += 1;
      at += 1;
    }
  }
  return { broken, characters };
}

/** Controls that no text has. A few may be there by mistake. */
function isBinary(text: string): boolean {
  const sample = text.slice(0, 65_536);
  // oxlint-disable-next-line no-control-regex
  const controls = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0;
  return controls > Math.max(2, sample.length / 100);
}
