import { cardScenes } from "./card-scenes.ts";
import { fileScenes } from "./file-scenes.ts";
import { panelScenes } from "./panel-scenes.ts";
import type { Scene } from "./stage.ts";
import { threadScenes } from "./thread-scenes.ts";

/** Every state of the card, the thread and the panel. */
export const scenes: readonly Scene[] = [...cardScenes, ...threadScenes, ...fileScenes, ...panelScenes];
