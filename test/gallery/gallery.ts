import { createElement } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createClient } from "../../src/client/client.ts";
import { AssistantPanel } from "../../src/react/assistant-panel.tsx";
import { toLanguage } from "../../src/react/language/language.ts";
import { scenes } from "./scenes.ts";
import { suggestions } from "./scene-data.ts";
import { createStage, toFetch } from "./stage.ts";
import type { Scene } from "./stage.ts";

// Shows one scene: ?scene=card-waiting&theme=dark&lang=ru. Without one, a list of all.

const search = new URLSearchParams(location.search);
const root = document.querySelector<HTMLElement>("#stage");
const scene = scenes.find(({ name }) => name === search.get("scene"));
const theme = search.get("theme");
if (theme !== null) document.documentElement.dataset["theme"] = theme;

async function show(stage: HTMLElement, { assistant: make, chat, locale, act }: Scene): Promise<void> {
  if (!search.has("keep")) sessionStorage.clear();
  const assistant = make();
  const client = createClient({ baseUrl: "/assistant", fetch: toFetch(assistant), retryDelay: () => 4_000 });
  if (!search.has("keep")) client.openChat(chat);
  const language = search.get("lang") ?? locale ?? "en-GB";
  const props = { baseUrl: "/assistant", client, locale: language, suggestions };
  const panel = createElement(AssistantPanel, props);
  if (stage.firstElementChild === null) createRoot(stage).render(panel);
  else hydrateRoot(stage, panel, { onRecoverableError: (error) => console.error("drawn anew:", error) });
  Object.assign(window, { stage: { assistant, client } });
  await act?.(createStage(stage, { assistant, client, words: toLanguage(language) }));
  await document.fonts.ready;
  document.documentElement.dataset["ready"] = "true";
}

function list(stage: HTMLElement): void {
  const links = scenes.map(({ name }) => {
    const link = document.createElement("a");
    link.href = `?scene=${name}`;
    link.textContent = name;
    const item = document.createElement("li");
    item.append(link);
    return item;
  });
  const all = document.createElement("ul");
  all.className = "index";
  all.append(...links);
  stage.append(all);
}

if (root) {
  if (scene) {
    void show(root, scene).catch((error: unknown) => {
      document.documentElement.dataset["ready"] = String(error);
    });
  } else list(root);
}
