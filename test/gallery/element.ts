import "../../src/react/panel-element.ts";
import { cardScenes } from "./card-scenes.ts";
import { toFetch } from "./stage.ts";

// The element on a page that knows nothing of it but its tag; only the network is ours.

sessionStorage.setItem("countersign:/assistant:open", JSON.stringify("c1"));
const scene = cardScenes.find(({ name }) => name === "card-confirmable");
if (scene) window.fetch = toFetch(scene.assistant());
