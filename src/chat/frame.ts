import type { ServerEvent } from "../wire/events.ts";
import { isOfTurn } from "./turn-registry.ts";

/** A server-sent event as text, written once for all who watch. */
export interface Frame {
  /** Set on a stored message. */
  readonly seq: number | null;
  /** Whether it tells a passing state of a turn. */
  readonly ofTurn: boolean;
  readonly text: string;
}

/** Encodes an event. Only a stored message carries an id, so that a client's last id always names one. */
export function toFrame(event: ServerEvent): Frame {
  const data = `data: ${JSON.stringify(event)}\n\n`;
  if (event.type !== "message") return { seq: null, ofTurn: isOfTurn(event), text: data };
  const { seq } = event.message;
  return { seq, ofTurn: false, text: `id: ${seq}\n${data}` };
}
