import type { Attachment, MeAnswer, OwnSettings, Problem } from "../src/wire/api.ts";
import type { Card } from "../src/wire/cards.ts";
import type { RunningTurn, ServerEvent } from "../src/wire/events.ts";
import type { Conversation, Message } from "../src/wire/messages.ts";
import { changeFile, listFiles, takeFile } from "./scripted-files.ts";

// The assistant's HTTP API over plain data in memory: what it answers is scripted, what it is asked is kept. Runs behind
// a real server in Node and behind `fetch` in a page.

export interface ScriptedChat {
  conversation: Conversation;
  messages: Message[];
  cards: Record<string, Card>;
  /** Cards as they are whole, where the page's are cut. */
  whole: Record<string, Card>;
  turn: RunningTurn | null;
  /** Files that wait to be sent. */
  files: Attachment[];
  removed: boolean;
}

/** An answer of a script; null leaves it to the usual one, `lost` does the usual thing and loses its answer. */
export type ScriptedAnswer = Response | "lost" | null | Promise<Response | "lost" | null>;

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** Marks an answer that never reaches who asked. */
export const lostHeader = "x-lost";

export interface ScriptedAssistant {
  readonly chats: Map<string, ScriptedChat>;
  readonly asked: AskedRequest[];
  settings: OwnSettings;
  /** Null: nobody is signed in. */
  me: MeAnswer | null;
  now: () => number;
  fetch(request: Request): Promise<Response>;
  /** Puts a script before the usual answers; it stays until `times` requests of its kind were answered by it. */
  script(route: RegExp, answer: (asked: AskedRequest) => ScriptedAnswer, times?: number): void;
  /** Tells those who watch a chat; a `message` is stored first. */
  tell(chatId: string, event: ServerEvent): void;
  watchers(chatId: string): number;
  cutStreams(): void;
}

export function problem(status: number, code: string, more: Partial<Problem> = {}): Response {
  return Response.json({ type: "about:blank", title: code, status, code, ...more }, { status });
}

export function createScriptedAssistant(start: {
  readonly me: MeAnswer | null;
  readonly chats?: readonly ScriptedChat[];
}): ScriptedAssistant {
  const scripts: { route: RegExp; answer: (asked: AskedRequest) => ScriptedAnswer; left: number }[] = [];
  const streams = new Map<string, Set<ReadableStreamDefaultController<Uint8Array>>>();
  const encoder = new TextEncoder();
  let made = 0;

  const assistant: ScriptedAssistant = {
    me: start.me,
    chats: new Map((start.chats ?? []).map((chat) => [chat.conversation.id, chat])),
    asked: [],
    settings: { instructions: "" },
    now: Date.now,
    script: (route, answer, times = 1) => void scripts.push({ route, answer, left: times }),
    watchers: (chatId) => streams.get(chatId)?.size ?? 0,
    cutStreams() {
      for (const watchers of streams.values()) {
        for (const watcher of watchers) watcher.error(new Error("cut"));
        watchers.clear();
      }
    },
    tell(chatId, event) {
      const chat = assistant.chats.get(chatId);
      if (chat && event.type === "message") chat.messages.push(event.message);
      if (chat && event.type === "turn") chat.turn = event.turn;
      if (chat && event.type === "turn_ended") chat.turn = null;
      for (const watcher of streams.get(chatId) ?? []) watcher.enqueue(encode(event));
    },
    async fetch(request) {
      const text = await request.text();
      const asked: AskedRequest = {
        method: request.method,
        path: new URL(request.url).pathname.replace(/^\/assistant/, "") + new URL(request.url).search,
        body: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : { size: text.length },
        headers: request.headers,
      };
      assistant.asked.push(asked);
      if (request.method !== "GET" && request.headers.get("x-countersign") !== "1") {
        return problem(403, "header_missing");
      }
      const name = `${asked.method} ${asked.path}`;
      const script = scripts.find((one) => one.left > 0 && one.route.test(name));
      if (script) script.left -= 1;
      const scripted = script ? await script.answer(asked) : null;
      if (scripted instanceof Response) return scripted;
      const usual = answerOf(asked, request);
      return scripted === "lost" ? new Response(null, { status: 200, headers: { [lostHeader]: "1" } }) : usual;
    },
  };

  function encode(event: ServerEvent): Uint8Array {
    const id = event.type === "message" ? `id: ${event.message.seq}\n` : "";
    return encoder.encode(`${id}data: ${JSON.stringify(event)}\n\n`);
  }
  const nowText = (): string => new Date(assistant.now()).toISOString();

  function answerOf({ method, path, body, headers }: AskedRequest, request: Request): Response {
    if (assistant.me === null) return problem(401, "session_invalid");
    const url = new URL(path, "http://host");
    const [, room, id, kind, sub, verb] = url.pathname.split("/");
    if (room === "me") return Response.json(assistant.me);
    if (room === "settings") {
      if (method === "PATCH") assistant.settings = { ...assistant.settings, ...body };
      return Response.json(assistant.settings);
    }
    if (room === "attachments") return changeFile(assistant.chats.values(), id ?? "", method);
    if (id === undefined) return method === "POST" ? create() : list(url.searchParams.get("query") ?? "");
    const chat = assistant.chats.get(id);
    if (!chat || (chat.removed && kind !== "restore")) return problem(404, "not_found");
    if (kind === undefined || kind === "restore") return change(chat, method, body);
    if (kind === "messages") return page(chat, Number(url.searchParams.get("before") ?? Infinity));
    if (kind === "events") return events(chat, Number(headers.get("last-event-id") ?? 0), request);
    if (kind === "open") return new Response(null, { status: 204 });
    if (kind === "attachments") return method === "POST" ? takeFile(chat, url, Number(body["size"])) : listFiles(chat);
    if (kind === "turns") return sub === undefined ? ask(chat, body) : new Response(null, { status: 204 });
    if (verb !== undefined) return problem(409, "not_waiting");
    if (sub !== undefined) return Response.json({ now: nowText(), card: chat.whole[sub] ?? chat.cards[sub] });
    const ids = url.searchParams.get("ids")?.split(",");
    const cards = Object.entries(chat.cards).filter(([key, card]) => ids?.includes(key) ?? card.state === "waiting");
    const messages = chat.messages.filter((message) => cards.some(([key]) => key === message.id));
    return Response.json({ now: nowText(), cards: Object.fromEntries(cards), ...(ids ? {} : { messages }) });
  }

  function create(): Response {
    const conversation = {
      id: `made-${(made += 1)}`,
      title: null,
      createdAt: nowText(),
      lastMessageAt: null,
      lastSeq: 0,
    };
    assistant.chats.set(conversation.id, {
      conversation,
      messages: [],
      cards: {},
      whole: {},
      turn: null,
      files: [],
      removed: false,
    });
    return Response.json({ conversation }, { status: 201 });
  }

  function list(query: string): Response {
    const conversations = [...assistant.chats.values()]
      .filter((chat) => !chat.removed && (chat.conversation.title ?? "").toLowerCase().includes(query.toLowerCase()))
      .map((chat) => chat.conversation)
      .toSorted((a, b) => (b.lastMessageAt ?? b.createdAt).localeCompare(a.lastMessageAt ?? a.createdAt));
    return Response.json({ conversations, next: null });
  }

  function change(chat: ScriptedChat, method: string, body: Record<string, unknown>): Response {
    if (method === "DELETE") chat.removed = true;
    else chat.removed = false;
    if (method === "PATCH") chat.conversation = { ...chat.conversation, title: String(body["title"]) };
    return method === "DELETE"
      ? new Response(null, { status: 204 })
      : Response.json({ conversation: chat.conversation });
  }

  function page(chat: ScriptedChat, before: number): Response {
    const older = chat.messages.filter((message) => message.seq < before);
    const messages = older.slice(-50);
    const cards = Object.fromEntries(messages.flatMap(({ id }) => (chat.cards[id] ? [[id, chat.cards[id]]] : [])));
    const hasEarlier = older.length > messages.length;
    return Response.json({ now: nowText(), conversation: chat.conversation, messages, hasEarlier, cards });
  }

  function ask(chat: ScriptedChat, { text, clientId, attachmentIds }: Record<string, unknown>): Response {
    const turnId = `turn-${String(clientId)}`;
    const { id: conversationId } = chat.conversation;
    if (!chat.messages.some((message) => message.turnId === turnId)) {
      const seq = (chat.messages.at(-1)?.seq ?? 0) + 1;
      const ids = Array.isArray(attachmentIds) ? attachmentIds : [];
      const files = chat.files.filter(({ id }) => ids.includes(id)).map((file) => ({ ...file, type: "text/plain" }));
      chat.files = chat.files.filter(({ id }) => !ids.includes(id));
      const base = { id: `m${conversationId}-${seq}`, seq, conversationId, turnId, createdAt: nowText() };
      assistant.tell(conversationId, {
        type: "message",
        message: { ...base, role: "user", text: String(text), files },
      });
    }
    return Response.json({ turnId }, { status: 202 });
  }

  function events(chat: ScriptedChat, after: number, request: Request): Response {
    const watchers = streams.get(chat.conversation.id) ?? new Set();
    streams.set(chat.conversation.id, watchers);
    let mine: ReadableStreamDefaultController<Uint8Array> | null = null;
    const leave = (): void => void (mine && watchers.delete(mine));
    request.signal.addEventListener("abort", leave);
    const lastSeq = chat.messages.at(-1)?.seq ?? 0;
    const missed = chat.messages.filter((message) => message.seq > after);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        mine = controller;
        watchers.add(controller);
        const { conversation, turn } = chat;
        controller.enqueue(encode({ type: "hello", now: nowText(), lastSeq, conversation, turn }));
        for (const message of missed) controller.enqueue(encode({ type: "message", message }));
      },
      cancel: leave,
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  return assistant;
}
