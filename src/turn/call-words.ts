/** A past call as text, for a request in which no tool is shown and calls may not stand. */
export function toCallWords(call: {
  readonly name: string;
  readonly argumentsText: string;
  readonly result: string;
}): string {
  return `[${call.name} was called with ${call.argumentsText}: ${call.result}]`;
}
