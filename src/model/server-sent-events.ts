/** One event of a stream: its data lines joined. */
export interface StreamEvent {
  readonly event: string | null;
  readonly data: string;
}

export interface EventReader {
  /** The whole events that end in these bytes. */
  push(bytes: Uint8Array): readonly StreamEvent[];
  /** What stands at the end without a blank line after it. */
  end(): readonly StreamEvent[];
}

/** Reads server-sent events from bytes cut anywhere, inside a character too. Comments are dropped; a line of bare JSON is an event too. */
export function createEventReader(): EventReader {
  const decoder = new TextDecoder();
  let rest = "";
  let event: string | null = null;
  let data: string[] = [];

  const take = (text: string, atEnd: boolean): StreamEvent[] => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (atEnd && rest !== "") {
      lines.push(rest);
      rest = "";
    }
    if (atEnd) lines.push("");
    const events: StreamEvent[] = [];
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) events.push({ event, data: data.join("\n") });
        event = null;
        data = [];
        continue;
      }
      // an error that a server writes into its stream as it is
      if (line.startsWith("{")) {
        events.push({ event: null, data: line });
        continue;
      }
      const [, field, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === "data") data.push(value);
      else if (field === "event") event = value;
    }
    return events;
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true }), false),
    end: () => take(decoder.decode(), true),
  };
}

/** An event as text. */
export function toEventText({ event, data }: StreamEvent): string {
  const name = event === null ? "" : `event: ${event}\n`;
  return `${name}${data
    .split("\n")
    .map((line) => `data: ${line}\n`)
    .join("")}\n`;
}
