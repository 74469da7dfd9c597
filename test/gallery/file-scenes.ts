import { answer, userMessage } from "../fixtures.ts";
import { toWorld } from "./scene-data.ts";
import type { Scene } from "./stage.ts";

const file = {
  conversationId: "c1",
  type: "application/pdf",
  size: 1_840_000,
  picture: false,
  state: "ready",
  code: null,
  again: false,
  createdAt: "2026-11-30T09:00:00.000Z",
} as const;

export const fileScenes: readonly Scene[] = [
  {
    name: "files-waiting",
    chat: "c1",
    assistant: () => {
      const world = toWorld({
        title: "Terms of Northwind",
        messages: [userMessage({ seq: 1, text: "Hi" }), answer({ seq: 2, text: "Send me the terms, please." })],
      });
      const chat = world.chats.get("c1");
      if (chat) {
        chat.files = [
          { ...file, id: "f1", name: "Northwind-terms-2027-final-signed.pdf" },
          { ...file, id: "f2", name: "pallet.jpg", picture: true, type: "image/jpeg", size: 420_000 },
          { ...file, id: "f3", name: "locked.xlsx", state: "failed", code: "encrypted" },
          { ...file, id: "f4", name: "invoice\u202efdp.exe", state: "failed", code: "interrupted", again: true },
        ];
      }
      return world;
    },
    async act({ assistant, root, find }) {
      await find(".cs-file");
      assistant.script(/POST .*attachments/, () => new Promise(() => {}));
      const input = root.querySelector<HTMLInputElement>("input[type=file]");
      const chosen = new DataTransfer();
      chosen.items.add(new File(["x".repeat(90_000)], "prices.csv"));
      if (input) {
        input.files = chosen.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      }
      await find(".cs-file[data-state='uploading']");
    },
  },
  {
    name: "files-sent",
    chat: "c1",
    assistant: () =>
      toWorld({
        title: "Terms of Northwind",
        messages: [
          userMessage({
            seq: 1,
            text: "What changed against last year?",
            files: [
              { ...file, id: "f1", name: "Northwind-terms-2027-final-signed.pdf" },
              { ...file, id: "f2", name: "pallet.jpg", picture: true, type: "image/jpeg", size: 420_000 },
            ],
          }),
          answer({ seq: 2, text: "Two things: the discount, and from when interest is due." }),
        ],
      }),
  },
  {
    name: "files-dropping",
    chat: null,
    assistant: () => toWorld({}),
    async act({ client, find }) {
      const main = await find(".cs-main");
      while (client.getSnapshot().me === null) await new Promise((resolve) => setTimeout(resolve, 10));
      const dragged = new DataTransfer();
      dragged.items.add(new File(["x"], "prices.csv"));
      main.dispatchEvent(new DragEvent("dragenter", { bubbles: true, cancelable: true, dataTransfer: dragged }));
      await find(".cs-drop");
    },
  },
];
