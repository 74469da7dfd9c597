import type { Attachment } from "../src/wire/api.ts";
import type { ScriptedChat } from "./scripted-assistant.ts";

// The files of a scripted assistant: taken at once, read by the next look at them.

export function takeFile(chat: ScriptedChat, url: URL, size: number): Response {
  const name = url.searchParams.get("name") ?? "";
  const attachment: Attachment = {
    id: `file-${name}`,
    conversationId: chat.conversation.id,
    name,
    type: null,
    size,
    picture: /\.(png|jpe?g|webp|gif)$/.test(name),
    state: "reading",
    code: null,
    again: false,
    createdAt: "2026-11-30T09:00:00.000Z",
  };
  chat.files.push(attachment);
  return Response.json({ attachment }, { status: 201 });
}

export function listFiles(chat: ScriptedChat): Response {
  chat.files = chat.files.map((file) => (file.state === "reading" ? { ...file, state: "ready" } : file));
  return Response.json({ attachments: chat.files });
}

/** Removes a file, or with another method reads it again. */
export function changeFile(chats: Iterable<ScriptedChat>, id: string, method: string): Response {
  for (const chat of chats) {
    const file = chat.files.find((one) => one.id === id);
    if (file && method === "DELETE") chat.files = chat.files.filter((one) => one !== file);
    else if (file)
      chat.files = chat.files.map((one) => (one === file ? { ...file, state: "reading", code: null } : one));
  }
  return Response.json({});
}
