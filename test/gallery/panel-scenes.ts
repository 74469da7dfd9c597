import { me } from "../fixtures.ts";
import { problem } from "../scripted-assistant.ts";
import { toTalk, toVoidCard, toWorld } from "./scene-data.ts";
import type { Scene } from "./stage.ts";

const toTalking = (): ReturnType<typeof toWorld> => toWorld({ messages: toTalk(), cards: [toVoidCard()] });
const never = (): Promise<never> => new Promise(() => {});
const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const panelScenes: readonly Scene[] = [
  { name: "panel-empty", chat: null, assistant: () => toWorld({}) },
  {
    name: "panel-first-time",
    chat: null,
    assistant: () => {
      const world = toWorld({});
      world.chats.clear();
      world.me = { ...me, displayName: null };
      return world;
    },
  },
  {
    name: "panel-demo",
    chat: "c1",
    assistant: () => {
      const world = toTalking();
      world.me = { ...me, model: { name: "The demo model", demo: true, images: false } };
      return world;
    },
  },
  { name: "panel-russian", chat: "c1", assistant: toTalking, locale: "ru" },
  {
    name: "panel-loading",
    chat: "c1",
    assistant: () => {
      const world = toTalking();
      world.script(/GET .*messages/, never, 9);
      world.script(/GET .conversations\?/, never, 9);
      return world;
    },
    act: () => rest(700),
  },
  {
    name: "panel-reconnecting",
    chat: "c1",
    assistant: toTalking,
    async act({ assistant, client, find }) {
      await find(".cs-card");
      while (client.getSnapshot().connection !== "live") await rest(10);
      assistant.script(/GET .*events/, () => "lost", 99);
      assistant.cutStreams();
      await find(".cs-connection");
    },
  },
  {
    name: "panel-signed-out",
    chat: "c1",
    assistant: toTalking,
    async act({ assistant, client, find }) {
      await find(".cs-card");
      while (client.getSnapshot().chats.status !== "ready") await rest(10);
      while (client.getSnapshot().connection !== "live") await rest(10);
      assistant.me = null;
      client.retry();
      await find(".cs-blocked");
    },
  },
  { name: "panel-gone", chat: "nobody-knows", assistant: toTalking },
  {
    name: "panel-failed",
    chat: "c1",
    assistant: () => {
      const world = toTalking();
      world.script(/GET .*messages/, () => problem(403, "not_allowed"), 9);
      world.script(/GET .conversations\?/, () => problem(500, "internal"), 9);
      return world;
    },
  },
  {
    name: "panel-not-allowed",
    chat: null,
    assistant: () => {
      const world = toWorld({});
      world.script(/./, () => problem(403, "not_allowed"), 99);
      return world;
    },
  },
  {
    name: "panel-send-refused",
    chat: "c1",
    assistant: toTalking,
    async act({ assistant, client, find }) {
      await find(".cs-card");
      assistant.script(/turns$/, () => problem(409, "turn_running", { conversationId: "other-2", retryAfter: 3 }));
      client.setDraft(
        "And remind Blue Yonder, in a friendly way. The third reminder is due since Monday; mention that we will have to add interest from the fourth on.",
      );
      await client.send();
      await find(".cs-composer-note");
    },
  },
  {
    name: "panel-send-retrying",
    chat: "c1",
    assistant: toTalking,
    async act({ assistant, client, find }) {
      await find(".cs-card");
      assistant.script(/turns$/, () => "lost", 99);
      client.setDraft("And remind Blue Yonder.");
      void client.send();
      await find(".cs-composer-note");
    },
  },
  {
    name: "panel-too-long",
    chat: "c1",
    assistant: () => {
      const world = toTalking();
      world.me = { ...me, limits: { ...me.limits, messageChars: 100 } };
      return world;
    },
    async act({ client, find }) {
      await find(".cs-card");
      client.setDraft("word ".repeat(30));
    },
  },
  {
    name: "panel-settings",
    chat: "c1",
    assistant: () => {
      const world = toTalking();
      world.settings = { instructions: "I work in accounting. Answer briefly, and give amounts with their currency." };
      return world;
    },
    async act({ click, find, words }) {
      await click(words.panel.more);
      await click(words.settings.title);
      await find(".cs-dialog textarea:not(:disabled)");
    },
  },
  {
    name: "panel-drawer",
    chat: "c1",
    assistant: toTalking,
    async act({ root, click, find, words }) {
      if ((await find(".cs-layout")).dataset["wide"] === "true" && root.clientWidth >= 720) return;
      await click(words.chats.open);
      await find(".cs-drawer .cs-chat");
    },
  },
  {
    name: "panel-menu",
    chat: "c1",
    assistant: toTalking,
    async act({ root, click, find, words }) {
      if (root.clientWidth >= 720) await click(words.chats.menuOf("Who has not logged hours?"));
      else await click(words.panel.more);
      await find(".cs-menu:popover-open");
    },
  },
  {
    name: "panel-rename",
    chat: "c1",
    assistant: toTalking,
    async act({ root, click, find, words }) {
      if (root.clientWidth < 720) await click(words.chats.open);
      await click(words.chats.menuOf("Who has not logged hours?"));
      (await find(".cs-menu:popover-open button")).click();
      await find(".cs-chat input");
    },
  },
  {
    name: "panel-removed",
    chat: "c1",
    assistant: toTalking,
    async act({ root, client, click, find, words }) {
      if (root.clientWidth < 720) await click(words.chats.open);
      await find(".cs-chat");
      await client.removeChat("other-3");
      await find(".cs-removed button");
    },
  },
  {
    name: "panel-nothing-found",
    chat: "c1",
    assistant: toTalking,
    async act({ root, client, click, find, words }) {
      if (root.clientWidth < 720) await click(words.chats.open);
      await find(".cs-chat");
      await client.searchChats("unicorns");
    },
  },
];
