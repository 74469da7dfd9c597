import { cleanText } from "../database/clean-text.ts";

const longest = 120;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A file's name as it may be shown and offered for saving: its last part alone, on one line, without anything that is
 * not seen or turns the direction of text, and with its ending kept when it is cut. It never names a place in the storage.
 */
export function toFileName(given: string): string {
  const last = cleanText(given).split(/[/\\]/).at(-1) ?? "";
  const plain = last
    // what is not seen: controls, marks of direction, zero widths, tags, private and unassigned characters
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu, "")
    .replaceAll(/[<>:"|?*]/g, "_")
    .replaceAll(/\p{Zs}+/gu, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  const short = cut(plain);
  if (short === "") return "file";
  return reserved.test(short) ? `_${short}` : short;
}

function cut(name: string): string {
  const letters = [...name];
  if (letters.length <= longest) return name;
  const dot = letters.lastIndexOf(".");
  const ending = dot > 0 && letters.length - dot <= 12 ? letters.slice(dot) : [];
  return `${letters
    .slice(0, longest - ending.length - 1)
    .join("")
    .trimEnd()}…${ending.join("")}`;
}
