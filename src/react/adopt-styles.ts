import { sheets } from "./styles/sheets.ts";

const made = new WeakMap<Document, CSSStyleSheet>();

/** Gives the document, or the shadow root, that an element stands in the panel's style sheet: once, and in a way a strict content security policy allows. */
export function adoptStyles(element: Element | null): void {
  const root = element?.getRootNode();
  if (!(root instanceof Document) && !(root instanceof ShadowRoot)) return;
  const page = root instanceof Document ? root : root.ownerDocument;
  let sheet = made.get(page);
  if (sheet === undefined) {
    // A sheet can be adopted only where it was made: a panel may stand in another window's document.
    sheet = new (page.defaultView ?? window).CSSStyleSheet();
    sheet.replaceSync(sheets.join("\n"));
    made.set(page, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
