import mammoth from "mammoth";
import { createCollector, type ReadText } from "./reading.ts";

/** Reads the text of a Word document: paragraphs on lines of their own, cells of a table with tabs between. */
export async function readDocx(path: string, characters: number): Promise<ReadText> {
  const { value } = await mammoth.convertToHtml(
    { path },
    {
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      styleMap: ["comment-reference => sup"],
    },
  );
  const collector = createCollector(characters);
  collector.add(toPlainText(value));
  return collector.end();
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** The library writes few elements and four entities. */
function toPlainText(html: string): string {
  return html
    .replaceAll(/<\/p>(?=<\/t[dh]>)/g, "")
    .replaceAll(/<\/t[dh]>(?=<t[dh])/g, "\t")
    .replaceAll(/<li>/g, "- ")
    .replaceAll(/<br \/>|<\/(?:p|h[1-6]|li|tr|dt|dd)>/g, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot);/g, (_whole, name: string) => entities[name] ?? "")
    .trim();
}
