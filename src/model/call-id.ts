import { randomBytes } from "node:crypto";

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new id for a call: 9 letters or digits, the one form that every provider takes. */
export function newCallId(): string {
  let id = "";
  while (id.length < 9) {
    for (const byte of randomBytes(12)) {
      // bytes beyond the last whole multiple of 62 would favour some letters
      if (byte < 248 && id.length < 9) id += letters[byte % 62];
    }
  }
  return id;
}
