import { adoptingStyles } from "./adopting-styles.ts";
import { sheets } from "./styles/sheets.ts";

/** Gives the document, or the shadow root, that an element stands in the panel's style sheet. */
export const adoptStyles: (element: Element | null) => void = adoptingStyles(sheets);
