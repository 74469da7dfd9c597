import fc from "fast-check";
import { expect, test } from "vitest";
import { toLink, toMarkdownTree, toPlainText } from "./markdown-tree.ts";
import type { MarkdownTree } from "./markdown-tree.ts";

function elementsOf(tree: MarkdownTree): readonly { readonly tagName: string; readonly properties: object }[] {
  const inner = "children" in tree ? tree.children.flatMap((child) => elementsOf(child)) : [];
  return tree.type === "element" ? [tree, ...inner] : inner;
}

const allowed = new Set(
  "p br hr em strong del blockquote ul ol li h1 h2 h3 h4 h5 h6 a code pre table thead tbody tr th td".split(" "),
);
const attributes = new Set(["href", "start", "align", "className"]);

test("whatever is written, the tree holds only what may be drawn", () => {
  const piece = fc.constantFrom(
    ...["<b onclick=x>", "</b>", "<script>", "<style>*{}</style>", "<!-- -->", "<svg/onload=x>", "![a](x)", "![a][b]"],
    ...[
      "[a](javascript:x)",
      "[b]: data:x",
      "- [x] a",
      "[^1]",
      "[^1]: f",
      "| a |\n| - |\n",
      "```html\n<b>\n```",
      "&lt;i&gt;",
    ],
    ...["\n", "\n\n", "**", "_", "`", "# ", "> ", "<https://a.example>", "www.a.example", "x"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const { tagName, properties } of elementsOf(toMarkdownTree(pieces.join("")))) {
        expect(allowed).toContain(tagName);
        for (const name of Object.keys(properties)) expect(attributes).toContain(name);
      }
    }),
    { numRuns: 400 },
  );
});

test("raw HTML is the text it is written as", () => {
  expect(toPlainText(toMarkdownTree('a <b class="cs-card">c</b>'))).toBe('a <b class="cs-card">c</b>');
});

test.each([
  ["https://a.example/x", "see", "a.example"],
  ["https://a.example/x", "https://a.example/x", ""],
  ["https://a.example", "https://a.example", ""],
  ["https://evil.example/", "https://a.example/", "evil.example"],
  ["https://a.example@evil.example/", "https://a.example", "evil.example"],
  ["https://аррӏе.com", "аррӏе", "xn--80ak6aa92e.com"],
  ["mailto:a@b.example", "write", "a@b.example"],
  ["mailto:a@b.example", "a@b.example", ""],
])("a link to %s written as %s shows %s", (href, text, place) => {
  expect(toLink(href, text)?.place).toBe(place);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "/relative",
  "vbscript:x",
  "blob:x",
  "file:///etc",
  "",
  "ftp://a",
])("%s is no link", (href) => expect(toLink(href, "x")).toBeNull());
