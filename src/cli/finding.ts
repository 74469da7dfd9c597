/** What was looked at, and how it stands. `wrong`: a node would not start, or something of it would not work. */
export interface Finding {
  readonly state: "ok" | "warning" | "wrong";
  /** What was looked at, in a word or three. */
  readonly about: string;
  /** What was found, without a credential. */
  readonly found: string;
  /** What to do, in one sentence; null where all is well. */
  readonly mend: string | null;
}

export const ok = (about: string, found: string): Finding => ({ state: "ok", about, found, mend: null });

/** What is not as it should be, with its mend. */
export function finding(
  state: "warning" | "wrong",
  about: string,
  said: { readonly found: string; readonly mend: string },
): Finding {
  return { state, about, ...said };
}

/** Of a sentence that says what is wrong and, after it, the mend. */
export function fromSentence(about: string, sentence: string): Finding {
  const said = sentence.replace(/^countersign: /, "");
  const cut = said.includes("; ") ? said.indexOf("; ") : said.lastIndexOf(": ");
  if (cut < 0) return finding("wrong", about, { found: said, mend: "Correct it." });
  const mend = said.slice(cut + 2);
  return finding("wrong", about, {
    found: said.slice(0, cut),
    mend: `${mend.slice(0, 1).toUpperCase()}${mend.slice(1)}${/[.;]$/.test(mend) ? "" : "."}`,
  });
}

const signs = { ok: "ok     ", warning: "warning", wrong: "WRONG  " } as const;

/** One line each, and the mend under it. */
export function toText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.flatMap(({ state, about, found, mend }) => [
    `${signs[state]}  ${about.padEnd(width)}  ${found}`,
    ...(mend === null ? [] : [`${" ".repeat(width + 11)}→ ${mend}`]),
  ]);
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  const warnings = findings.filter(({ state }) => state === "warning").length;
  const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
  const sum =
    wrong + warnings === 0
      ? "Everything is as it should be."
      : `${count(wrong, "thing is wrong", "things are wrong")}, ${count(warnings, "warning", "warnings")}.`;
  return `${lines.join("\n")}\n\n${sum}`;
}
