/** A call or a piece of one, as servers send it. */
export interface LooseCall {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly extra_content?: unknown;
}

/** A whole call in the form the provider's package takes. */
export interface WholeCall {
  readonly index: number;
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: unknown;
}

export interface CallCollector {
  push(pieces: readonly LooseCall[]): void;
  /** The calls in the order in which they began. */
  take(): readonly WholeCall[];
}

/** The name given to a call that has none, since the provider's package would drop it without a trace or throw. */
export const namelessCall = "countersign_nameless";

interface Open {
  readonly key: number | null;
  id: string;
  name: string;
  arguments: string;
  extra: { readonly google: { readonly thought_signature: string } } | undefined;
}

/**
 * Puts calls together from pieces. Their index separates them, but an id that differs opens a new one on a used index;
 * without an index a piece with an id or a name opens a call, one without belongs to the last. Ids are sent on as
 * `<number>~<id>`, so that calls sharing one stay apart and a missing one is not made up.
 */
export function createCallCollector(offered: ReadonlySet<string>): CallCollector {
  const calls: Open[] = [];

  const open = (key: number | null): Open => {
    const call: Open = { key, id: "", name: "", arguments: "", extra: undefined };
    calls.push(call);
    return call;
  };
  /** Which call a piece belongs to. */
  const find = (key: number | null, id: string, name: string): Open => {
    const last = key === null ? calls.at(-1) : calls.findLast((call) => call.key === key);
    if (last === undefined) return open(key);
    if (id === "" && name === "") return last;
    if (id !== "" && key === null) return calls.findLast((call) => call.id === id) ?? open(key);
    if (id !== "" && last.id !== "") return id === last.id ? last : open(key);
    const begunAgain = name !== "" && last.name !== "" && isWhole(last.arguments);
    return begunAgain && (key === null || name !== last.name) ? open(key) : last;
  };
  return {
    push: (pieces) => {
      for (const piece of pieces) {
        const body = isLoose(piece.function) ? piece.function : piece;
        const id =
          typeof piece.id === "number" ? String(piece.id) : typeof piece.id === "string" ? piece.id.trim() : "";
        const name = typeof body.name === "string" ? body.name.trim() : "";
        const call = find(toIndex(piece.index), id, name);
        if (id !== "") call.id = id;
        call.name = joinName(call.name, name, offered);
        call.arguments += toArgumentsText(body.arguments);
        call.extra ??= toExtra(piece.extra_content);
      }
    },
    take: () =>
      calls.map((call, index) => ({
        index,
        id: `${index}~${call.id}`,
        function: { name: call.name === "" ? namelessCall : call.name, arguments: call.arguments },
        ...(call.extra !== undefined && { extra_content: call.extra }),
      })),
  };
}

function joinName(before: string, piece: string, offered: ReadonlySet<string>): string {
  if (piece === "" || piece === before) return before;
  if (before === "" || (offered.has(piece) && !offered.has(before))) return piece;
  return offered.has(before + piece) ? before + piece : before;
}

function toIndex(sent: unknown): number | null {
  const index = typeof sent === "string" && sent.trim() !== "" ? Number(sent) : sent;
  return typeof index === "number" && Number.isInteger(index) ? index : null;
}

function toArgumentsText(sent: unknown): string {
  if (sent === undefined || sent === null) return "";
  return typeof sent === "string" ? sent : JSON.stringify(sent);
}

/** Gemini's signature, where its own chat door sends one. */
function toExtra(sent: unknown): Open["extra"] {
  const { google } = (isLoose(sent) ? sent : {}) as {
    readonly google?: { readonly thought_signature?: unknown } | null;
  };
  const signature = google?.thought_signature;
  return typeof signature === "string" ? { google: { thought_signature: signature } } : undefined;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isLoose(value: unknown): value is LooseCall {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
