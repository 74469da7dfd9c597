import type { Attachment, AttachmentAnswer, AttachmentsAnswer, AttachmentState } from "../wire/api.ts";
import type { AssistantClient } from "./client.ts";
import { createRequest } from "./request.ts";
import { sendFile } from "./send-file.ts";
import { createStore } from "./store.ts";

// The files that wait in the composer of each chat: sent as they are chosen, read by the server, taken out or read again.
// A part of its own beside the client, for those who take files.

/** A file of the composer. */
export interface FileView {
  readonly key: string;
  /** Null until the server has it. */
  readonly id: string | null;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly picture: boolean;
  readonly state: AttachmentState;
  /** The share that was sent, from 0 to 1, while it is `uploading`. */
  readonly progress: number;
  /** Beside `failed`: why it cannot be sent. */
  readonly code: string | null;
  /** Whether it can be tried again. */
  readonly again: boolean;
}

export interface Files {
  subscribe(listener: () => void): () => void;
  /** The files of a chat by its key; the same list until it changed. */
  of(chatKey: string): readonly FileView[];
  /** Sends files to the open chat, making its row first if it is new. */
  add(files: readonly File[]): void;
  remove(key: string): void;
  again(key: string): void;
  /** Reads the files of the open chat again whenever that may have changed. Answers how to stop. */
  follow(): () => void;
}

/** Milliseconds between two looks at files that are being read. */
const readingLook = 800;
const none: readonly FileView[] = [];

/** Makes the files of a client's chats. */
export function createFiles(client: AssistantClient): Files {
  const { options } = client;
  const store = createStore<Readonly<Record<string, readonly FileView[]>>>({}, 0);
  const request = createRequest({ fetch: (input, init) => fetch(input, init), ...options });
  const base = options.baseUrl.replace(/\/+$/, "");
  const chosen = new Map<string, { readonly file: File; readonly stop: AbortController }>();
  const starts = new Map<string, ReturnType<typeof client.startChat>>();
  let looking: ReturnType<typeof setTimeout> | undefined;
  let made = 0;

  const of = (chatKey: string): readonly FileView[] => store.get()[chatKey] ?? none;
  function change(chatKey: string, to: (files: readonly FileView[]) => readonly FileView[]): void {
    store.update((all) => ({ ...all, [chatKey]: to(of(chatKey)) }));
  }
  function changeOne(chatKey: string, key: string, to: Partial<FileView>): void {
    change(chatKey, (files) => files.map((file) => (file.key === key ? { ...file, ...to } : file)));
  }
  function chatOf(key: string): string {
    return Object.keys(store.get()).find((chatKey) => of(chatKey).some((file) => file.key === key)) ?? "";
  }

  async function load(): Promise<void> {
    const { key, id } = client.getSnapshot().chat;
    clearTimeout(looking);
    if (id === null) return;
    const answer = await request<AttachmentsAnswer>("GET", `/conversations/${id}/attachments`);
    if (!answer.ok) return;
    const known = new Map(of(key).map((file) => [file.id, file.key]));
    // What is on its way has no id here yet: the server may know of it, and would show it a second time.
    const isSending = of(key).some((file) => file.id === null && file.state === "uploading");
    const shown = answer.value.attachments.filter((one) => !isSending || known.has(one.id));
    const here = shown.map((one) => toView(one, known.get(one.id) ?? one.id));
    // Those the server does not have yet, or did not take, are known here alone.
    change(key, (files) => [...here, ...files.filter((file) => file.id === null)]);
    if (here.some(({ state }) => state === "uploading" || state === "reading")) {
      looking = setTimeout(() => void load(), readingLook);
    }
  }

  async function upload(chatKey: string, key: string): Promise<void> {
    const part = chosen.get(key);
    if (!part) return;
    changeOne(chatKey, key, { state: "uploading", progress: 0, code: null });
    // Of files chosen together each would make a row of its own.
    const starting = starts.get(chatKey) ?? client.startChat().finally(() => starts.delete(chatKey));
    starts.set(chatKey, starting);
    const failure = await starting;
    const { chat } = client.getSnapshot();
    const answer =
      failure !== null || chat.key !== chatKey || chat.id === null
        ? { code: failure?.code ?? "offline" }
        : await sendFile({
            url: `${base}/conversations/${chat.id}/attachments?name=${encodeURIComponent(part.file.name)}`,
            file: part.file,
            headers: options.headers?.() ?? {},
            signal: part.stop.signal,
            fetch: options.fetch,
            onProgress: (progress) => changeOne(chatKey, key, { progress }),
          });
    if ("code" in answer) return changeOne(chatKey, key, { state: "failed", code: answer.code, again: true });
    chosen.delete(key);
    changeOne(chatKey, key, toView(answer.attachment, key));
    if (answer.attachment.state === "reading") looking = setTimeout(() => void load(), readingLook);
  }

  return {
    subscribe: store.subscribe,
    of,
    add(files) {
      const { chat, me } = client.getSnapshot();
      const { attachmentBytes = Infinity, attachmentsPerMessage = Infinity } = me?.limits ?? {};
      for (const file of files) {
        const key = `file:${(made += 1)}`;
        const code =
          of(chat.key).length >= attachmentsPerMessage
            ? "too_many_files"
            : file.size > attachmentBytes
              ? "file_too_large"
              : file.size === 0
                ? "file_empty"
                : null;
        const { name, size, type } = file;
        const state = code === null ? ("uploading" as const) : ("failed" as const);
        const picture = type.startsWith("image/");
        change(chat.key, (all) => [
          ...all,
          { key, id: null, name, size, picture, state, progress: 0, code, again: false },
        ]);
        if (code !== null) continue;
        chosen.set(key, { file, stop: new AbortController() });
        void upload(chat.key, key);
      }
    },
    remove(key) {
      const chatKey = chatOf(key);
      const file = of(chatKey).find((one) => one.key === key);
      chosen.get(key)?.stop.abort();
      chosen.delete(key);
      change(chatKey, (files) => files.filter((one) => one.key !== key));
      // What could not be taken out is there again when it is looked at next.
      if (file?.id) void request("DELETE", `/attachments/${file.id}`).then(load);
    },
    again(key) {
      const chatKey = chatOf(key);
      const file = of(chatKey).find((one) => one.key === key);
      if (!file?.id) return void upload(chatKey, key);
      changeOne(chatKey, key, { state: "reading", code: null, again: false });
      void request<AttachmentAnswer>("POST", `/attachments/${file.id}/read`).then(load);
    },
    follow() {
      let before = client.getSnapshot().chat;
      void load();
      const leave = client.subscribe(() => {
        const { chat } = client.getSnapshot();
        const isOther = chat.key !== before.key || chat.id !== before.id;
        // Files leave the composer with a stored message, and come back with a notice that gives them back.
        const mayDiffer =
          chat.messages !== before.messages && (of(chat.key).length > 0 || isGivingBack(chat.messages.at(-1)));
        before = chat;
        if (isOther || mayDiffer) void load();
      });
      return () => {
        leave();
        clearTimeout(looking);
      };
    },
  };
}

function isGivingBack(message: { readonly role: string; readonly code?: string | null } | undefined): boolean {
  return message?.role === "notice" && (message.code?.startsWith("pictures_") ?? false);
}

function toView({ id, name, size, picture, state, code, again }: Attachment, key: string): FileView {
  return { key, id, name, size, picture, state, progress: 1, code, again };
}
