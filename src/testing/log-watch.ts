import { silentLogger, type Logger } from "../logger.ts";

// What no log line may hold is planted where it passes: by the models and servers of this kit, and by set-ups that hand
// out keys. Outside of a watched run nothing is kept.

const planted = new Set<string>();
const lines: (readonly string[])[] = [];
let watching = false;

/** Shorter texts stand in a line by chance. */
const shortest = 12;
/** A log may cut what it tells. */
const longest = 40;

/** From now on what is planted and what is logged is remembered, also by those who were given no logger. */
export function watchLogs(): void {
  watching = true;
  Object.assign(silentLogger, listener);
}

/** Texts that no log line may hold: keys, prompts, answers, arguments. JSON is taken apart. */
export function plant(...texts: readonly string[]): void {
  if (!watching) return;
  for (const text of texts) {
    for (const piece of piecesOf(text)) {
      if (piece.length >= shortest) planted.add(piece.slice(0, longest));
    }
  }
}

/** A logger whose lines are watched too. */
export function heard(logger: Logger): Logger {
  if (!watching || logger === silentLogger) return logger;
  const both =
    (level: keyof Logger) =>
    (fields: object, message: string): void => {
      listener[level](fields, message);
      logger[level](fields, message);
    };
  return { debug: both("debug"), info: both("info"), warn: both("warn"), error: both("error") };
}

/** What the lines so far hold of what was planted, each with its line's message. */
export function findLeaks(): readonly string[] {
  return lines.flatMap((told) => {
    const found = [...planted].find((piece) => told.some((text) => text.includes(piece)));
    return found === undefined ? [] : [`"${found}" in "${told[0]}"`];
  });
}

/** What has been heard so far, for a test that has leaks on purpose. */
export function forgetLines(): void {
  lines.length = 0;
}

const hear = (fields: object, message: string): void => {
  lines.push([message, ...textsIn(fields, 0)]);
};
const listener: Logger = { debug: hear, info: hear, warn: hear, error: hear };

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 6) return [];
  const own = value instanceof Error ? [value.message, value.stack ?? "", ...textsIn(value.cause, depth + 1)] : [];
  return [...own, ...Object.values(value).flatMap((one) => textsIn(one, depth + 1))];
}

function piecesOf(text: string): readonly string[] {
  const parsed = parse(text);
  if (typeof parsed === "object" && parsed !== null) return textsIn(parsed, 0);
  return text.split("\n").map((line) => line.trim());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
