import type { AssistantClient } from "../../src/client/client.ts";
import type { Language } from "../../src/react/language/language.ts";
import { lostHeader } from "../scripted-assistant.ts";
import type { ScriptedAssistant } from "../scripted-assistant.ts";

/** What a scene can do once its panel stands. */
export interface Stage {
  readonly root: HTMLElement;
  readonly assistant: ScriptedAssistant;
  readonly client: AssistantClient;
  /** What is written on the panel. */
  readonly words: Language;
  /** Clicks the button of that name as soon as there is one. */
  click(name: string): Promise<void>;
  /** Waits for an element. */
  find(selector: string): Promise<HTMLElement>;
}

/** A state of the panel, made by data and by what a user would do. */
export interface Scene {
  readonly name: string;
  /** The assistant behind it. */
  readonly assistant: () => ScriptedAssistant;
  /** The chat to open; null for a new one. */
  readonly chat: string | null;
  readonly locale?: string;
  readonly act?: (stage: Stage) => Promise<void> | void;
}

/** A `fetch` that asks a scripted assistant. */
export function toFetch(assistant: ScriptedAssistant): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const response = await assistant.fetch(new Request(url, init));
    if (response.headers.has(lostHeader)) throw new TypeError("lost");
    return response;
  };
}

export function createStage(root: HTMLElement, parts: Pick<Stage, "assistant" | "client" | "words">): Stage {
  async function wait<Found>(look: () => Found | null | undefined): Promise<Found> {
    for (let tries = 0; tries < 2_000; tries += 1) {
      const found = look();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("the scene waits for something that does not come");
  }
  const nameOf = (button: HTMLButtonElement): string => button.getAttribute("aria-label") ?? button.textContent;
  return {
    root,
    ...parts,
    find: (selector) => wait(() => root.querySelector<HTMLElement>(selector)),
    async click(name) {
      const button = await wait(() =>
        Array.from(root.querySelectorAll("button")).find((one) => !one.disabled && nameOf(one).trim() === name),
      );
      button.focus();
      button.click();
    },
  };
}
