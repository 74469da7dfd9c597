/** Makes what gives the document, or the shadow root, that an element stands in a style sheet: once, and in a way a strict content security policy allows. */
export function adoptingStyles(sheets: readonly string[]): (element: Element | null) => void {
  const made = new WeakMap<Document, CSSStyleSheet>();
  return (element) => {
    const root = element?.getRootNode();
    if (!(root instanceof Document) && !(root instanceof ShadowRoot)) return;
    const page = root instanceof Document ? root : root.ownerDocument;
    let sheet = made.get(page);
    if (sheet === undefined) {
      // A sheet can be adopted only where it was made: a part may stand in another window's document.
      sheet = new (page.defaultView ?? window).CSSStyleSheet();
      sheet.replaceSync(sheets.join("\n"));
      made.set(page, sheet);
    }
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  };
}
