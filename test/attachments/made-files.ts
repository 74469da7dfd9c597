import { crc32, deflateRawSync, deflateSync } from "node:zlib";

// Files made for tests, hostile ones too: small where they are kept, large where they are read.

/** A ZIP archive of parts; `says` lies about a part's size. */
export function toZip(parts: Readonly<Record<string, Uint8Array | string>>): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const entry = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, path, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), common, place, path]));
    pieces.push(entry);
    at += entry.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...pieces, listed, end]);
}

const wordType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/** A Word document whose body is this XML. */
export function toDocx(
  body: string | Uint8Array,
  head = "",
  more: Readonly<Record<string, Uint8Array | string>> = {},
): Buffer {
  const open = `<?xml version="1.0"?>${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`;
  return toZip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${wordType}"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": Buffer.concat([Buffer.from(open), Buffer.from(body), Buffer.from("</w:body></w:document>")]),
    ...more,
  });
}

export const toParagraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";

/** A workbook of one sheet with these rows. */
export function toXlsx(rows: string, more: Readonly<Record<string, string>> = {}): Buffer {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return toZip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sales" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  });
}

/** A PDF of these objects, numbered from 1; the first is the catalog. */
export function toPdf(objects: readonly (string | Uint8Array)[]): Buffer {
  const pieces: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const places: number[] = [];
  let at = pieces[0]?.length ?? 0;
  for (const [index, content] of objects.entries()) {
    places.push(at);
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(content), Buffer.from("\nendobj\n")]);
    pieces.push(piece);
    at += piece.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  pieces.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer <</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.concat(pieces);
}

/** A PDF of one page with this content stream. */
export function toPage(content: Uint8Array | string, filters: "plain" | "flate" | "flate twice" = "plain"): Buffer {
  const once = filters === "plain" ? Buffer.from(content) : deflateSync(content);
  const bytes = filters === "flate twice" ? deflateSync(once) : once;
  const named = { plain: "", flate: "/Filter/FlateDecode", "flate twice": "/Filter[/FlateDecode/FlateDecode]" }[
    filters
  ];
  return toPdf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    Buffer.concat([Buffer.from(`<</Length ${bytes.length}${named}>>\nstream\n`), bytes, Buffer.from("\nendstream")]),
  ]);
}

/** A PNG whose header says this size, over these rows. */
export function toPng(width: number, height: number, rows?: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(rows ?? Buffer.alloc((width * 3 + 1) * height, 0));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    toChunk("IHDR", header),
    toChunk("IDAT", pixels),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

export function toChunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  chunk.set(named, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}
