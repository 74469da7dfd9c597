import { base } from "./base.ts";
import { card } from "./card.ts";
import { chats } from "./chats.ts";
import { composer } from "./composer.ts";
import { files } from "./files.ts";
import { layout } from "./layout.ts";
import { prose } from "./prose.ts";
import { thread } from "./thread.ts";

/** The panel's style sheet, part by part, in order. */
export const sheets: readonly string[] = [base, layout, chats, thread, prose, card, composer, files];
