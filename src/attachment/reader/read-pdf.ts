import { readFile } from "node:fs/promises";
import { getDocumentProxy } from "unpdf";
import { createCollector, ReadFault, type ReadText } from "./reading.ts";

// Beyond these a PDF is cut, as a text is.
const mostPages = 1_000;

interface Chunk {
  readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[];
}

/** Reads a PDF's text page by page, as far as it fits: reading it whole never ends with some. */
export async function readPdf(path: string, characters: number): Promise<ReadText> {
  const document = await openPdf(await readFile(path));
  const collector = createCollector(characters);
  const pages = Math.min(document.numPages, mostPages);
  for (let number = 1; number <= pages && !collector.full; number += 1) {
    const page = await document.getPage(number);
    if (pages > 1) collector.add(`${number === 1 ? "" : "\n\n"}[page ${number}]\n`);
    const reader = (page.streamTextContent() as ReadableStream<Chunk>).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const { str = "", hasEOL = false } of value.items) collector.add(hasEOL ? `${str}\n` : str);
      // Left as it is, not cancelled: the library would go on into its closed stream. The process ends with it.
      if (collector.full) break;
    }
    if (!collector.full) page.cleanup();
  }
  const { text, cut } = collector.end();
  const isEmpty = text.replaceAll(/\[page \d+\]/g, "").trim() === "";
  return { text: isEmpty ? "" : text.trimEnd(), cut: cut || document.numPages > mostPages };
}

async function openPdf(bytes: Uint8Array): ReturnType<typeof getDocumentProxy> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      useSystemFonts: false,
      maxImageSize: 1,
      verbosity: 0,
    });
  } catch (error) {
    throw new ReadFault(error instanceof Error && error.name === "PasswordException" ? "encrypted" : "unreadable");
  }
}
