import { describe, expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

/** What a decoder undoes: for each character, the bytes it comes from. */
function encode(text: string, encoding: string): Uint8Array {
  const bytesOf = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding, { fatal: true });
  const learn = (bytes: readonly number[]): void => {
    try {
      const letter = decoder.decode(Uint8Array.from(bytes));
      if ([...letter].length === 1 && !bytesOf.has(letter)) bytesOf.set(letter, bytes);
    } catch {
      // No character there.
    }
  };
  for (let byte = 0; byte < 256; byte += 1) learn([byte]);
  if (/jis|euc|gb|big5/.test(encoding)) {
    for (let lead = 0x81; lead < 0xff; lead += 1) {
      for (let trail = 0x40; trail < 0xff; trail += 1) learn([lead, trail]);
    }
  }
  return Uint8Array.from([...text].flatMap((letter) => bytesOf.get(letter) ?? [0x3f]));
}

const samples: readonly (readonly [encoding: string, text: string])[] = [
  ["windows-1251", "Отчёт за ноябрь: 12 строк.\nВсего 340 рублей."],
  ["koi8-r", "Отчёт за ноябрь: 12 строк.\nВсего 340 рублей."],
  ["ibm866", "Отчёт за ноябрь: 12 строк.\nВсего 340 рублей."],
  ["x-mac-cyrillic", "Отчёт за ноябрь: 12 строк.\nВсего 340 рублей."],
  ["windows-1252", "Größe: 12 m² für Frau Müller, naïve café"],
  ["windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"],
  ["windows-1250", "Zażółć gęślą jaźń"],
  ["windows-1254", "Şişli'de gümüş dağıtımı"],
  ["windows-1253", "Καλημέρα κόσμε, τι κάνεις σήμερα;"],
  ["windows-1255", "שלום עולם, מה שלומך היום?"],
  ["windows-1256", "مرحبا بالعالم كيف حالك"],
  ["shift_jis", "名前,年齢,住所\n佐藤太郎,30,東京\n"],
  ["euc-jp", "こんにちは、世界。今日はいい天気ですね。"],
  ["gb18030", "你好,世界。今天天气很好。"],
  ["big5", "你好,世界。今天天氣很好。"],
  ["euc-kr", "안녕하세요 세계, 오늘 날씨가 좋습니다"],
];

describe("Text in any common encoding comes out right", () => {
  test.each(samples)("%s: %j", (encoding, text) => {
    expect(decodeText(encode(text, encoding), { whole: true })).toBe(text);
  });

  test.each([
    ["UTF-8 with a mark", [0xef, 0xbb, 0xbf, 0xc3, 0xa9], "é"],
    ["UTF-16 with a mark, little end first", [0xff, 0xfe, 0x41, 0, 0x3f, 0x04], "Aп"],
    ["UTF-16 with a mark, big end first", [0xfe, 0xff, 0, 0x41, 0x04, 0x3f], "Aп"],
  ])("%s", (_what, bytes, text) => {
    expect(decodeText(Uint8Array.from(bytes), { whole: true })).toBe(text);
  });

  test.each([
    "Hello there, all of you",
    "Отчёт за ноябрь: 12 строк.\nВсего 340 рублей.",
    "Καλημέρα κόσμε, 12",
    "名前,年齢\n佐藤太郎,30\n",
    "安全 – ok",
  ])("UTF-16 without a mark: %j", (text) => {
    const little = Buffer.from(text, "utf16le");
    expect(decodeText(little, { whole: true })).toBe(text);
    expect(decodeText(Buffer.from(little).swap16(), { whole: true })).toBe(text);
  });

  test("a character cut off by the limit of what is read is no flaw", () => {
    const bytes = new TextEncoder().encode("день за днём");
    expect(decodeText(bytes.subarray(0, -1), { whole: false })).toMatch(/^день за днё/);
  });

  test("a few wrong bytes in much UTF-8 read as U+FFFD", () => {
    const bytes = [...new TextEncoder().encode("Это обычный русский текст"), 0xff];
    expect(decodeText(Uint8Array.from(bytes), { whole: true })).toBe("Это обычный русский текст\uFFFD");
  });

  test("a stray NUL is dropped; bytes that are no text are none", () => {
    expect(decodeText(Buffer.from("before\0after"), { whole: true })).toBe("beforeafter");
    const noise = Uint8Array.from({ length: 400 }, (_none, index) => (index * 89) % 256);
    expect(decodeText(noise, { whole: true })).toBeNull();
  });
});
