import { newCallId } from "./call-id.ts";
import { namelessCall } from "./collect-calls.ts";
import type { ModelCall } from "./model.ts";
import { readArguments } from "./read-arguments.ts";

/** A call as the provider's package hands it over. */
export interface SentCall {
  readonly name: string;
  readonly id: string;
  readonly input: unknown;
  readonly providerMetadata?: unknown;
}

/**
 * The calls one sent call means, under ids of ours: none when it has no name, several when a model wrapped them in one.
 * A prefix or tail some models add to a name goes only where an offered name is left.
 */
export function readCalls(sent: SentCall, offered: ReadonlySet<string>): readonly ModelCall[] {
  const name = toOfferedName(sent.name.trim(), offered);
  if (name === "" || name === namelessCall) return [];
  const providerId = readProviderId(sent.id);
  const argumentsText = readArguments(sent.input);
  const wrapped = offered.has(name) ? null : unwrap(name, argumentsText);
  if (wrapped !== null) {
    return wrapped.map((call) => ({
      id: newCallId(),
      providerId: null,
      name: toOfferedName(call.name, offered),
      argumentsText: call.argumentsText,
    }));
  }
  const { providerMetadata } = sent;
  return [
    { id: newCallId(), providerId, name, argumentsText, ...(providerMetadata !== undefined && { providerMetadata }) },
  ];
}

function toOfferedName(name: string, offered: ReadonlySet<string>): string {
  if (offered.has(name)) return name;
  const bare = name
    .replace(/^(?:functions?|tools?|default_api)[.:]/, "")
    .replace(/<\|.*$/s, "")
    .trim();
  return offered.has(bare) ? bare : name;
}

/** `multi_tool_use.parallel` or `parallel`: a tool nobody offered, into which some models put several calls. */
function unwrap(
  name: string,
  argumentsText: string,
): readonly { readonly name: string; readonly argumentsText: string }[] | null {
  if (!/^(?:multi_tool_use[._])?parallel$/.test(name)) return null;
  try {
    const { tool_uses: uses } = JSON.parse(argumentsText) as { readonly tool_uses?: unknown };
    if (!Array.isArray(uses)) return null;
    return uses.flatMap((use: { readonly recipient_name?: unknown; readonly parameters?: unknown } | null) =>
      typeof use?.recipient_name === "string"
        ? [{ name: use.recipient_name, argumentsText: readArguments(use.parameters) }]
        : [],
    );
  } catch {
    return null;
  }
}

/** The repair of chat chunks sends ids as `<number>~<id>`, so that calls sharing one can be told apart. */
function readProviderId(sent: string): string | null {
  const id = /^\d+~(.*)$/s.exec(sent)?.[1] ?? sent;
  return id === "" ? null : id;
}
