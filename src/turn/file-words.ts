import type { FileText } from "../attachment/attachments.ts";
import type { SentFile } from "../wire/messages.ts";
import { sliceText } from "./cut-text.ts";

const noText = "(There is no text in this file; if it is a scan, only its picture would show what it says.)";
const picture = "(A picture.)";

/**
 * A message as a model reads it: its text, then each file by its name with what text it holds, cut to `characters` for all
 * of them together. What a file says stands between marks that say whose words they are.
 */
export function withFileWords(
  text: string,
  files: readonly (FileText & { readonly note?: string })[],
  characters: number,
): string {
  const shares = toShares(
    files.map((file) => file.text.length),
    characters,
  );
  const told = files.map((file, index) => {
    const title = `File ${index + 1} of ${files.length}: ${JSON.stringify(file.name)} (${file.type})`;
    if (file.type.startsWith("image/")) return `[${title}]\n${file.note ?? picture}`;
    if (file.text.trim() === "") return `[${title}]\n${noText}`;
    const kept = sliceText(file.text, shares[index] ?? 0);
    const cut = file.cut || kept.length < file.text.length ? "\n(The file goes on; the rest was left out.)" : "";
    return `[${title}: what follows up to "End of file ${index + 1}" is its content]\n${kept}${cut}\n[End of file ${index + 1}]`;
  });
  return [text, ...told].filter((part) => part.trim() !== "").join("\n\n");
}

/** Room for each: short texts whole, long ones alike. */
function toShares(lengths: readonly number[], room: number): readonly number[] {
  let left = room;
  let among = lengths.length;
  const shares: number[] = lengths.map(() => 0);
  for (const [index, length] of [...lengths.entries()].toSorted(([, one], [, other]) => one - other)) {
    const share = Math.min(length, Math.floor(left / among));
    shares[index] = share;
    left -= share;
    among -= 1;
  }
  return shares;
}

/** The note that stands for a picture which is not among the image parts. */
export function toPictureNote(file: SentFile, why: "unmade" | "unseen"): string {
  return why === "unseen"
    ? `(The picture ${JSON.stringify(file.name)} is not shown: the model that answers now cannot see pictures.)`
    : `(The picture ${JSON.stringify(file.name)} could not be made and is not shown.)`;
}
