/** The kinds of files that are taken, by the words of the setting `attachmentTypes`. */
export const fileKinds = {
  text: "text/plain",
  markdown: "text/markdown",
  csv: "text/csv",
  json: "application/json",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
} as const;

export type FileKind = keyof typeof fileKinds;

const kindOf: ReadonlyMap<string, FileKind> = new Map([
  ...Object.entries(fileKinds).map(([kind, type]) => [type, kind as FileKind] as const),
  ["text/tab-separated-values", "csv"],
]);

/** What a picker needs beside the media types above: systems that know no type for an ending offer its files by it. */
const endings: Partial<Readonly<Record<FileKind, readonly string[]>>> = {
  text: ["text/*", ".txt", ".log", ".sql", ".yaml", ".yml"],
  markdown: [".md", ".markdown"],
  csv: [".csv", ".tsv", "text/tab-separated-values"],
  json: [".json"],
  docx: [".docx"],
  xlsx: [".xlsx"],
};

/** The kinds that the setting names, as a picker of files is told them. */
export function toAccept(attachmentTypes: string): readonly string[] {
  const named = new Set(attachmentTypes.split(",").map((name) => name.trim().toLowerCase()));
  return Object.entries(fileKinds).flatMap(([kind, type]) =>
    named.has(kind) ? [type, ...(endings[kind as FileKind] ?? [])] : [],
  );
}

/** Whether a media type is one of the kinds that the setting names. */
export function isTaken(type: string, attachmentTypes: string): boolean {
  const kind = kindOf.get(type);
  return kind !== undefined && attachmentTypes.split(",").some((name) => name.trim().toLowerCase() === kind);
}

export function isPicture(type: string | null): boolean {
  return type?.startsWith("image/") ?? false;
}
