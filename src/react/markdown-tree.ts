import { sanitize } from "hast-util-sanitize";
import type { Schema } from "hast-util-sanitize";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { gfm } from "micromark-extension-gfm";

// What of Markdown a model may use: text, lists, tables, code and links. No pictures, controls, raw HTML, styles,
// classes or ids, so that nothing it writes can look like a part of the panel.

export type MarkdownTree = ReturnType<typeof sanitize>;

const extensions = [gfm({ singleTilde: false })];
const mdastExtensions = [gfmFromMarkdown()];

const schema: Schema = {
  tagNames: [
    ...["p", "br", "hr", "em", "strong", "del", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"],
    ...["a", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"],
  ],
  attributes: {
    a: ["href"],
    ol: ["start"],
    th: ["align"],
    td: ["align"],
    code: [["className", /^language-[\w+#.-]{1,30}$/]],
  },
  protocols: { href: ["http", "https", "mailto"] },
  strip: [],
};

/** A text without the characters that turn what follows around, so that it would read other than it is. Isolates and marks stay: languages need them. */
export function withoutTurns(text: string): string {
  return text.replaceAll(/[\u202a-\u202e]/g, "");
}

/** Reads Markdown into a tree that holds only what may be drawn. Raw HTML becomes the text it is written as, a picture its words, a check box a sign. */
export function toMarkdownTree(text: string): MarkdownTree {
  const tree = toHast(fromMarkdown(withoutTurns(text), { extensions, mdastExtensions }), {
    handlers: {
      html: (_state, node: { readonly value: string }) => ({ type: "text", value: node.value }),
      image: (_state, { alt }: { readonly alt?: string | null }) => ({ type: "text", value: alt ?? "" }),
      imageReference: (_state, { alt }: { readonly alt?: string | null }) => ({ type: "text", value: alt ?? "" }),
    },
  });
  signBoxes(tree);
  return sanitize(tree, schema);
}

function signBoxes(parent: MarkdownTree): void {
  if (!("children" in parent)) return;
  for (const [index, child] of parent.children.entries()) {
    if (child.type !== "element") continue;
    if (child.tagName === "input") {
      parent.children[index] = { type: "text", value: child.properties["checked"] ? "☑" : "☐" };
    } else signBoxes(child);
  }
}

/** A link that may be followed, with the place it leads to where its text does not say it; null for any other. */
export function toLink(href: string, text: string): { readonly href: string; readonly place: string } | null {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  if (!["http:", "https:", "mailto:"].includes(url.protocol)) return null;
  const isMail = url.protocol === "mailto:";
  // The host as the browser will ask for it: letters that look like others are spelled out, a user name before it is not shown.
  const place = isMail ? url.pathname : url.host;
  const isSaid = toComparable(text) === toComparable(isMail ? place : url.href);
  return { href: url.href, place: isSaid ? "" : place };
}

function toComparable(text: string): string {
  return text.trim().replace(/\/$/, "");
}

/** The text of a tree, without its marks. */
export function toPlainText(node: MarkdownTree): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(toPlainText).join("") : "";
}
