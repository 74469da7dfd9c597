import { createElement, memo } from "react";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { longestDrawn, toMarkdownParts } from "./markdown-parts.ts";
import type { MarkdownPart } from "./markdown-parts.ts";
import { toLink, toMarkdownTree, toPlainText, withoutTurns } from "./markdown-tree.ts";
import type { MarkdownTree } from "./markdown-tree.ts";
import { usePanel } from "./panel-context.ts";

/** Characters up to which what a cell of a table says stays on one line. */
const shortCell = 24;

/** What a model wrote. A growing text is read anew in its last block only. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  const { thread } = usePanel().language;
  return (
    <div className="cs-prose" dir="auto">
      {toMarkdownParts(text).map((part, index) => (
        // Blocks are only ever added: their index is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        <Part key={index} {...part} />
      ))}
      {text.length > longestDrawn && <p className="cs-quiet">{thread.cut}</p>}
    </div>
  );
});

const Part = memo(function Part({ kind, text, language }: MarkdownPart): ReactNode {
  if (kind === "code") return <CodeBlock language={language} text={text} />;
  if (kind === "plain") return <p className="cs-plain">{withoutTurns(text)}</p>;
  try {
    return draw(toMarkdownTree(text));
  } catch {
    // Where a page forbids what a parser needs (named characters under Trusted Types), the text is shown as it was written.
    return <p className="cs-plain">{withoutTurns(text)}</p>;
  }
});

type Element = Extract<MarkdownTree, { type: "element" }>;

/** Draws a tree: each element by its name alone, with no attribute but those named here. */
function draw(node: MarkdownTree): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type === "root") return createElement("div", null, ...node.children.map(draw));
  if (node.type !== "element") return null;
  const { tagName, properties } = node;
  // Between the parts of a table there is no text, only line ends.
  const parts = /^t(able|head|body|r)$/.test(tagName) ? node.children.filter(isElement) : node.children;
  const children = parts.map(draw);
  switch (tagName) {
    case "a":
      return <Link href={toWord(properties["href"])} text={toPlainText(node)} content={children} />;
    case "pre":
      return toCodeBlock(node);
    case "table":
      return (
        <Scroller kind="table" className="cs-table">
          {createElement("table", null, ...children)}
        </Scroller>
      );
    case "ol":
      return createElement(tagName, { start: Number(properties["start"] ?? 1) }, ...children);
    case "td":
    case "th":
      return createElement(
        tagName,
        // A number, a date or a name such as INV-1042 is never broken.
        {
          align: toWord(properties["align"]) || undefined,
          "data-short": toPlainText(node).length <= shortCell || undefined,
        },
        ...children,
      );
    case "br":
    case "hr":
      return createElement(tagName);
    default:
      // Headings of a message all stand on one level of the page, below the panel's own.
      return /^h\d$/.test(tagName)
        ? createElement("h3", { "data-level": tagName.slice(1) }, ...children)
        : createElement(tagName, null, ...children);
  }
}

function isElement({ type }: MarkdownTree): boolean {
  return type === "element";
}

function toWord(value: unknown): string {
  return typeof value === "string" ? value : "";
}

interface LinkProps {
  readonly href: string;
  readonly text: string;
  readonly content: readonly ReactNode[];
}

function Link({ href, text, content }: LinkProps): ReactNode {
  const link = toLink(href, text);
  if (link === null) return createElement("span", null, ...content);
  const attributes = { href: link.href, target: "_blank", rel: "noopener noreferrer nofollow" };
  return (
    <>
      {createElement("a", attributes, ...content)}
      {link.place !== "" && (
        <bdi className="cs-place">
          {"\u00a0"}({link.place})
        </bdi>
      )}
    </>
  );
}

function toCodeBlock(code: Element): ReactNode {
  const [inner] = code.children;
  const names = inner?.type === "element" ? inner.properties["className"] : null;
  const language = Array.isArray(names) ? toWord(names[0]).replace("language-", "") : "";
  return <CodeBlock language={language} text={toPlainText(code)} />;
}

function CodeBlock({ language, text }: { readonly language: string; readonly text: string }): ReactNode {
  const { thread } = usePanel().language;
  return (
    <figure className="cs-code">
      <figcaption>
        <span>{language === "" ? thread.code : language}</span>
        <CopyButton text={() => text} label={thread.copyCode} isWordy />
      </figcaption>
      <Scroller kind="code">
        <pre>
          <code>{withoutTurns(text)}</code>
        </pre>
      </Scroller>
    </figure>
  );
}

interface ScrollerProps {
  readonly kind: "table" | "code";
  readonly className?: string;
  readonly children: ReactNode;
}

/** What is wider than the thread scrolls by itself, with the keyboard too. */
function Scroller({ kind, className, children }: ScrollerProps): ReactNode {
  const { thread } = usePanel().language;
  return (
    // A frame that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={className} role="region" aria-label={thread[kind]} tabIndex={0} data-scroll="">
      {children}
    </div>
  );
}
