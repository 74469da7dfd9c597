import { analyse } from "chardet";

// A browser's decoders, in the order in which a tie is decided.
const candidates = [
  "windows-1252",
  "windows-1251",
  "shift_jis",
  "gb18030",
  "euc-kr",
  "big5",
  "euc-jp",
  "koi8-r",
  "windows-1250",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "x-mac-cyrillic",
  "ibm866",
] as const;

const sampleBytes = 8_192;

/** The encoding in which bytes that are no Unicode read most like a language: by what letters there would be and how they stand together, and a little by what a detector of byte patterns says. */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, sampleBytes);
  const high = sample.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0);
  const said = new Map<string, number>();
  for (const { name, confidence } of analyse(sample)) {
    const label = toLabel(name);
    if (label !== null) said.set(label, Math.max(said.get(label) ?? 0, confidence / 100));
  }
  let best: { readonly label: string; readonly score: number } = { label: "windows-1252", score: -Infinity };
  for (const label of candidates) {
    const text = tryDecode(sample, label);
    if (text === null) continue;
    const score = scoreOf(text) / Math.max(1, high) + (said.get(label) ?? 0);
    if (score > best.score) best = { label, score };
  }
  return best.label;
}

function toLabel(name: string): string | null {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}

/** Null when the bytes are no text in it; a character that the sample's end cuts off does not count. */
function tryDecode(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: bytes.length === sampleBytes });
  } catch {
    return null;
  }
}

interface Sign {
  readonly of: RegExp;
  /** For each such character, by the bytes it takes. */
  readonly worth: number;
}

// The first that a character fits counts.
const signs: readonly Sign[] = [
  { of: /[\u0080-\u009f\ufffd\ue000-\uf8ff]/, worth: -10 },
  { of: /[оеаинтсрвлкмдпуОЕАИНТСРВ]/, worth: 3 },
  { of: /[а-яА-ЯёЁ]/, worth: 1.5 },
  { of: /[ѓљњќћўџђѕјіїєґЃЉЊЌЋЎЏЂЅЈІЇЄҐ]/, worth: 0.5 },
  { of: /[\u3041-\u30ff]/, worth: 6 },
  { of: /[\uac00-\ud7a3]/, worth: 5 },
  { of: /[\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]/, worth: 3 },
  { of: /[\uff61-\uff9f]/, worth: -1 },
  { of: /[αοιετσνηυρπκμλς]/, worth: 3 },
  { of: /[α-ωά-ώ]/, worth: 1.5 },
  { of: /[יוהלאתרשמבנ]/, worth: 3.6 },
  { of: /[א-ת]/, worth: 2.4 },
  { of: /[\u0620-\u064a]/, worth: 2 },
  { of: /[äöüßéèêëáàâçñóòôíìîúùûåæøÄÖÜÉÅØ]/, worth: 2 },
  { of: /[ěščřžýůłśżźćńąęğışőűŠČŘŽŁŚŻĞİŞ]/, worth: 2 },
  { of: /[‘’“”–—…€«»„№°§©®™ ]/, worth: 0.5 },
  { of: /[\u2500-\u259f]/, worth: -3 },
];

const isLatin = /\p{Script=Latin}/u;
const isLetter = /\p{L}/u;
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
];

function scoreOf(text: string): number {
  let score = 0;
  let before = "";
  for (const letter of text) {
    const isHigh = letter > "\u007f";
    if (isHigh) score += signs.find(({ of }) => of.test(letter))?.worth ?? -0.5;
    if ((isHigh || before > "\u007f") && isLetter.test(letter) && isLetter.test(before)) {
      // Words are of one script, and have no capitals inside but where all are.
      if (isOf(letter) !== isOf(before)) score -= 3;
      if (isUpper(letter) && isLower(before)) score -= 4;
      // Of Latin letters, most are plain ones.
      if (isHigh && before > "\u007f" && isLatin.test(letter)) score -= 1;
    }
    before = letter;
  }
  return score;
}

const isOf = (letter: string): number => scripts.findIndex((script) => script.test(letter));
const isUpper = (letter: string): boolean => letter !== letter.toLowerCase();
const isLower = (letter: string): boolean => letter !== letter.toUpperCase();
