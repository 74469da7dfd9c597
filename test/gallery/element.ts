import "../../src/react/panel-element.ts";
import { toTalk, toVoidCard, toWorld } from "./scene-data.ts";
import { toFetch } from "./stage.ts";

// The element on a page that knows nothing of it but its tag; only the network is ours.

sessionStorage.setItem("countersign:/assistant:open", JSON.stringify("c1"));
window.fetch = toFetch(toWorld({ messages: toTalk(), cards: [toVoidCard()] }));
