import type { Attachment, AttachmentAdapter, PendingAttachment } from "@assistant-ui/react";
import type { AssistantClient } from "../client/client.ts";
import type { Files, FileView } from "../client/files.ts";
import { sayFile } from "../react/say.ts";
import type { Language } from "../react/language/language.ts";

/** Files of the composer go to the server as they are chosen; assistant-ui sees them under their keys here. */
export function toAttachmentAdapter(parts: {
  readonly client: AssistantClient;
  readonly files: Files;
  readonly language: () => Language;
}): AttachmentAdapter {
  const { client, files, language } = parts;
  return {
    accept: "*",
    async *add({ file }) {
      const chatKey = client.getSnapshot().chat.key;
      const known = new Set(files.of(chatKey).map(({ key }) => key));
      files.add([file]);
      const key = files.of(chatKey).find((one) => !known.has(one.key))?.key ?? "";
      for (;;) {
        const view = files.of(chatKey).find((one) => one.key === key);
        if (view === undefined) return;
        yield toPending(view, file, language());
        if (view.state === "ready" || view.state === "failed") return;
        await untilChanged(files, chatKey, view);
      }
    },
    async remove({ id }) {
      files.remove(id);
    },
    // Its content is the server's: what is sent is named by `toFileIds`.
    send: async (attachment) => ({ ...attachment, status: { type: "complete" }, content: [] }),
  };
}

/** The server's ids of the files that go with a message. */
export function toFileIds(views: readonly FileView[], attachments: readonly Attachment[]): readonly string[] {
  const chosen = new Set(attachments.map(({ id }) => id));
  return views.flatMap(({ key, id, state }) => (id !== null && state === "ready" && chosen.has(key) ? [id] : []));
}

function toPending(view: FileView, file: File, language: Language): PendingAttachment {
  const { key, name, picture, state, progress, code } = view;
  return {
    id: key,
    type: picture ? "image" : "document",
    name,
    contentType: file.type,
    file,
    status:
      state === "ready"
        ? { type: "requires-action", reason: "composer-send" }
        : state === "failed"
          ? { type: "incomplete", reason: "error", message: sayFile(code ?? "unreadable", language) }
          : { type: "running", reason: "uploading", progress: Math.round(progress * 100) },
  };
}

function untilChanged(files: Files, chatKey: string, before: FileView): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (files.of(chatKey).includes(before)) return;
      leave();
      resolve();
    };
    const leave = files.subscribe(look);
    look();
  });
}
