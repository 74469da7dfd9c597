import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { toChunk, toDocx, toPage, toParagraph, toPdf, toPng, toXlsx, toZip } from "./made-files.ts";

// Files made to hurt whoever reads them, each in another way.

/** How the reading of one may end: `ready`, or the code of a failure. */
type End = "ready" | "unreadable" | "too_large" | "unsupported_type" | "timeout";

export interface HostileFile {
  readonly name: string;
  /** What is wrong with it. */
  readonly what: string;
  make(): Uint8Array | Promise<Uint8Array>;
  readonly ends: readonly End[];
}

const million = 1_000_000;
const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
/** Ten to the tenth letters, were it taken at its word. */
const entities = `<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">${Array.from({ length: 9 }, (_none, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join("")}]>`;

/** Whatever a file takes more of than it may, on a busy machine its time may be what ends first. */
const takesMuch: readonly End[] = ["ready", "too_large", "timeout"];

export const hostileFiles: readonly HostileFile[] = [
  {
    name: "nested.docx",
    what: "archives within archives, the innermost of which unpacks to a lot",
    make() {
      let inner = toZip({ "zeros.bin": Buffer.alloc(50 * million) });
      for (let level = 0; level < 5; level += 1) inner = toZip({ "a.zip": inner, "b.zip": inner });
      return toDocx(toParagraph("Above the archives"), "", { "word/embeddings/oleObject1.bin": inner });
    },
    ends: ["ready"],
  },
  {
    name: "deep.docx",
    what: "elements a hundred thousand deep",
    make: () => toDocx(`${"<w:sdt><w:sdtContent>".repeat(50_000)}${"</w:sdtContent></w:sdt>".repeat(50_000)}`),
    ends: ["ready", "unreadable", "too_large", "timeout"],
  },
  {
    name: "entities.docx",
    what: "entities that hold each other ten times",
    make: () => toDocx(toParagraph("&e9;"), entities),
    ends: ["ready", "unreadable"],
  },
  {
    name: "entities.xlsx",
    what: "entities that hold each other ten times, in the texts of a workbook",
    make: () => toXlsx(cellOfText, { "xl/sharedStrings.xml": `${entities}<sst><si><t>&e9;</t></si></sst>` }),
    ends: ["unreadable"],
  },
  {
    name: "many-texts.xlsx",
    what: "a million shared texts",
    make: () => toXlsx(cellOfText, { "xl/sharedStrings.xml": `<sst>${"<si><t>word</t></si>".repeat(million)}</sst>` }),
    ends: takesMuch,
  },
  {
    name: "long-text.xlsx",
    what: "one shared text of two hundred million letters",
    make: () =>
      toXlsx(cellOfText, { "xl/sharedStrings.xml": `<sst><si><t>${"a".repeat(200 * million)}</t></si></sst>` }),
    ends: takesMuch,
  },
  {
    name: "wide.xlsx",
    what: "a row of a million cells",
    make: () => toXlsx(`<row>${"<c><v>1</v></c>".repeat(million)}</row>`),
    ends: takesMuch,
  },
  {
    name: "outside.xlsx",
    what: "parts that lie outside of the archive",
    make: () =>
      toXlsx(`<row><c><v>1</v></c></row>`, {
        "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${relations}"><Relationship Id="r1" Target="../../../../etc/passwd"/></Relationships>`,
      }),
    ends: ["ready", "unreadable"],
  },
  {
    name: "profile.png",
    what: "a colour profile that unpacks to a hundred million bytes",
    make: () => withChunk("iCCP", Buffer.concat([Buffer.from("p\0\0"), deflateSync(Buffer.alloc(100 * million))])),
    ends: ["ready", "unreadable", "too_large", "timeout"],
  },
  {
    name: "words.png",
    what: "a comment that unpacks to two hundred million letters",
    make: () => withChunk("zTXt", Buffer.concat([Buffer.from("w\0\0"), deflateSync(Buffer.alloc(200 * million, "a"))])),
    ends: ["ready", "unreadable", "too_large", "timeout"],
  },
  {
    name: "large.png",
    what: "as many pixels as may be, and each row of them random enough to be kept",
    make: () => toPng(7_000, 7_000, Buffer.alloc((7_000 * 3 + 1) * 7_000)),
    ends: takesMuch,
  },
  { name: "frames.gif", what: "twenty thousand pictures", make: () => toGif(20_000), ends: takesMuch },
  {
    name: "animated.webp",
    what: "a picture that moves",
    make: () => sharp(toGif(50), { animated: true }).webp().toBuffer(),
    ends: ["ready"],
  },
  {
    name: "scans.jpg",
    what: "a picture that is refined ten thousand times",
    make: toManyScans,
    ends: ["ready", "unreadable", "too_large", "timeout"],
  },
  {
    name: "deep.pdf",
    what: "arrays a hundred thousand deep",
    make: () =>
      toPdf([
        `<</Type/Catalog/Pages 2 0 R/Names 4 0 R>>`,
        "<</Type/Pages/Kids[3 0 R]/Count 1/Deep 4 0 R>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources 4 0 R>>",
        `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      ]),
    ends: ["ready", "unreadable", "too_large", "timeout"],
  },
  {
    name: "script.pdf",
    what: "scripts, an address and a program that want to be run when it is opened",
    make: () =>
      toPdf([
        "<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R/AA<</WC 5 0 R>>/Names<</JavaScript<</Names[(a)4 0 R]>>>>>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/AA<</O 4 0 R>>>>",
        "<</S/JavaScript/JS(while(true){app.alert(1)})>>",
        "<</S/Launch/F(/bin/sh)/Win<</F(cmd.exe)>>>>",
      ]),
    ends: ["ready"],
  },
  {
    name: "loop.pdf",
    what: "tables of places that name each other",
    make() {
      const whole = toPage("BT /F 12 Tf (around) Tj ET").toString("latin1");
      const at = whole.indexOf("xref");
      return Buffer.from(whole.replace("/Root 1 0 R", `/Root 1 0 R/Prev ${at}`), "latin1");
    },
    ends: ["ready", "unreadable", "timeout"],
  },
  {
    name: "pdf-and-zip.pdf",
    what: "a PDF and an archive in one file",
    make: () => Buffer.concat([toPage("BT /F 12 Tf (a page) Tj ET"), toZip({ "a.exe": "MZ" })]),
    ends: ["ready"],
  },
  {
    name: "zip-and-pdf.pdf",
    what: "an archive that holds a PDF, not packed, near its beginning",
    make: () => Buffer.concat([toZip({ "a.txt": "x" }), toPage("BT /F 12 Tf (a page) Tj ET")]),
    ends: ["unsupported_type"],
  },
  {
    name: "one-line.csv",
    what: "twenty million letters on one line",
    make: () => Buffer.alloc(20 * million, "a,b;"),
    ends: ["ready"],
  },
  {
    name: "deep.json",
    what: "lists a hundred thousand deep",
    make: () => Buffer.from("[".repeat(100_000) + "]".repeat(100_000)),
    ends: ["ready"],
  },
  {
    name: "marks.txt",
    what: "nothing but marks: of order, of direction, of no width",
    make: () => Buffer.from("\uFEFF\u202E\u2066\u200B\u2069\u202C".repeat(50_000)),
    ends: ["ready"],
  },
  {
    name: "nothing.txt",
    what: "nothing but NULs",
    make: () => Buffer.alloc(million),
    ends: ["unsupported_type", "unreadable"],
  },
  {
    name: "comments.html",
    what: "a page behind long comments",
    make: () => Buffer.from(`${`${"<!--".repeat(2_500)}-->\n`.repeat(2)}<html><script>alert(1)</script></html>`),
    ends: ["unsupported_type"],
  },
];

const cellOfText = `<row><c t="s"><v>0</v></c></row>`;

function withChunk(name: string, content: Uint8Array): Buffer {
  const png = toPng(4, 4);
  return Buffer.concat([png.subarray(0, 33), toChunk(name, content), png.subarray(33)]);
}

/** A GIF of one pixel, shown this many times in another colour. */
function toGif(frames: number): Buffer {
  const head = Buffer.from("GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  const frame = (index: number): Buffer =>
    Buffer.from(
      `\x21\xf9\x04\0\x02\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02${index % 2 === 0 ? "\x44" : "\x4c"}\x01\0`,
      "latin1",
    );
  return Buffer.concat([head, ...Array.from({ length: frames }, (_none, index) => frame(index)), Buffer.from(";")]);
}

/** A progressive JPEG whose last scan comes again and again. */
async function toManyScans(): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 2_000, height: 2_000, channels: 3, background: "#345" } })
    .jpeg({ progressive: true })
    .toBuffer();
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(last, -2);
  return Buffer.concat([jpeg.subarray(0, last), ...Array.from({ length: 10_000 }, () => scan), jpeg.subarray(-2)]);
}
