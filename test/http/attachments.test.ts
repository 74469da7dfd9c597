import { request } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReplayServer, type ReplayCase, type ReplayServer } from "../../src/testing/replay-server.ts";
import { toPng } from "../attachments/made-files.ts";
import type { SignIn } from "../desk.ts";
import { serveDesk, type Served } from "./served.ts";

const folder = join(tmpdir(), `countersign-http-${randomUUID()}`);
let served: Served;
let owner: SignIn;
let stranger: SignIn;
let chat: string;
beforeAll(async () => {
  served = await serveDesk([{ text: "Seen." }, { text: "Seen." }], {
    files: { folder },
    settings: { attachmentBytes: 100_000 },
  });
  [owner, stranger] = [served.desk.signIn("nora"), served.desk.signIn("omar")];
  chat = await newChat(owner);
});
afterAll(async () => {
  await served.close();
  await rm(folder, { recursive: true, force: true });
});

async function newChat(as: SignIn): Promise<string> {
  const { body } = await served.ask("POST", "/conversations", { as });
  return (body as { conversation: { id: string } }).conversation.id;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown> & { attachment?: { id: string; name: string; state: string } };
}

async function send(path: string, bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const answer = await fetch(`${served.origin}/assistant${path}`, {
    method: "POST",
    headers: { "x-desk-session": owner.ref, "x-countersign": "1", origin: served.origin, ...headers },
    body: new Uint8Array(bytes),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer["body"] };
}

async function ready(bytes: Uint8Array, name: string, at = chat): Promise<string> {
  const answer = await send(`/conversations/${at}/attachments?name=${encodeURIComponent(name)}`, bytes);
  const id = answer.body.attachment?.id ?? "";
  await expect
    .poll(async () => {
      const { body } = await served.ask("GET", `/conversations/${at}/attachments`, { as: owner });
      return (body["attachments"] as { id: string; state: string }[]).find((one) => one.id === id)?.state;
    })
    .toBe("ready");
  return id;
}

const get = (path: string, as: SignIn = owner): Promise<Response> =>
  fetch(`${served.origin}/assistant${path}`, { headers: { "x-desk-session": as.ref } });

describe("An upload over HTTP", () => {
  test("is the body of one request, answered with what was found in it", async () => {
    const answer = await send(`/conversations/${chat}/attachments?name=..%2F..%2Fetc%2Fpasswd`, Buffer.from("a\nb"));
    expect(answer.status).toBe(201);
    expect(answer.body.attachment).toMatchObject({ name: "passwd", conversationId: chat, size: 3 });
    const id = answer.body.attachment?.id ?? "";
    expect((await served.ask("DELETE", `/attachments/${id}`, { as: owner })).status).toBe(204);
    expect((await served.ask("DELETE", `/attachments/${id}`, { as: owner })).status).toBe(404);
  });

  test("that is too large is refused before it came, and its connection is closed so that the next request is whole", async () => {
    const answer = await send(`/conversations/${chat}/attachments?name=big`, Buffer.alloc(100_001));
    expect(answer.status).toBe(413);
    expect(answer.body["code"]).toBe("file_too_large");
    expect(answer.headers.get("connection")).toBe("close");
    expect((await get("/me")).status).toBe(200);
  });

  test("that does not say its size is counted as it comes", async () => {
    const url = `${served.origin}/assistant/conversations/${chat}/attachments?name=endless`;
    const headers = { "x-desk-session": owner.ref, "x-countersign": "1", origin: served.origin };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(url, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sending.on("error", reject);
      for (let piece = 0; piece < 11; piece += 1) sending.write(Buffer.alloc(10_000));
      // Never ended: the server says no without waiting for the rest.
    });
    expect(status).toBe(413);
  });

  test("that is empty is refused; so is one of a foreign page and of a stranger", async () => {
    const path = `/conversations/${chat}/attachments?name=a`;
    expect(await send(path, Buffer.alloc(0))).toMatchObject({ status: 422, body: { code: "file_empty" } });
    expect(await send(path, Buffer.from("x"), { origin: "https://elsewhere.example" })).toMatchObject({ status: 403 });
    expect(await send(path, Buffer.from("x"), { "x-desk-session": stranger.ref })).toMatchObject({ status: 404 });
  });
});

const givenNames = [
  "../../../etc/passwd",
  "..\\..\\windows\\system32\\drivers",
  "%2e%2e%2fsecret",
  "a\0b.txt",
  "CON",
  "lpt1.txt",
  "...",
  ".",
  " ",
  "invoice\u202Efdp.exe",
  "line\r\nSet-Cookie: a=b",
  `a"; filename="b.exe`,
  "semi;colon'quote*percent%41.txt",
  "счёт №7 — копия.pdf",
  "👨‍👩‍👧 семья.png",
  "<img src=x onerror=alert(1)>.html",
  "~/.ssh/id_rsa",
  "C:stream.txt:$DATA",
  `${"long ".repeat(1_000)}.txt`,
];

test.each(givenNames)(
  "a file called %j is shown and saved by a plain name, and kept under a random one",
  async (given) => {
    const answer = await send(
      `/conversations/${chat}/attachments?name=${encodeURIComponent(given)}`,
      Buffer.from("words"),
    );
    expect(answer.status).toBe(201);
    const { id = "", name = "" } = answer.body.attachment ?? {};
    expect(name).toMatch(/^[^/\\\p{Cc}\p{Cf}<>:"|?*]{1,160}$/u);
    await expect.poll(async () => (await get(`/attachments/${id}`)).status).toBe(200);
    const said = (await get(`/attachments/${id}`)).headers.get("content-disposition") ?? "";
    const [, plain = "", whole = ""] =
      /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([^;'" ]*)$/.exec(said) ?? [];
    expect(plain).toMatch(/^[\x20-\x7e]+$/);
    expect(decodeURIComponent(whole)).toBe(name);
    const kept = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of kept.filter((one) => one.isFile())) {
      expect(entry.name).toMatch(/^[0-9a-f-]{36}(?:\.picture|\.thumbnail)?$/);
    }
    await served.ask("DELETE", `/attachments/${id}`, { as: owner });
  },
);

describe("A download over HTTP", () => {
  test("is for saving, and a browser runs nothing of it", async () => {
    const id = await ready(Buffer.from("text that says <script>"), 'Счёт "1"; a=b.html');
    const answer = await get(`/attachments/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("content-disposition")).toBe(
      "attachment; filename=\"____ _1_; a=b.html\"; filename*=UTF-8''%D0%A1%D1%87%D1%91%D1%82%20_1_%3B%20a%3Db.html",
    );
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.text()).toBe("text that says <script>");
    expect((await get(`/attachments/${id}/thumbnail`)).status).toBe(404);
    expect((await get(`/attachments/${id}`, stranger)).status).toBe(404);
  });

  test("of a picture can be shown in a page, as it was made anew; its thumbnail too", async () => {
    const id = await ready(toPng(400, 200), "p.gif");
    const whole = await get(`/attachments/${id}`);
    expect(whole.headers.get("content-type")).toBe("image/png");
    expect(whole.headers.get("content-disposition")).toMatch(/^inline; /);
    expect(whole.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    await whole.arrayBuffer();
    const small = await get(`/attachments/${id}/thumbnail`);
    expect(small.headers.get("content-type")).toBe("image/webp");
    expect((await small.arrayBuffer()).byteLength).toBeGreaterThan(0);
    expect((await get(`/attachments/${id}/thumbnail`, stranger)).status).toBe(404);
  });

  test("of what is no id, or nothing, is not found", async () => {
    for (const id of ["../../etc/passwd", "x", randomUUID()]) {
      expect((await get(`/attachments/${encodeURIComponent(id)}`)).status).toBe(404);
    }
  });
});

test("a message is started with its files, and a page of the chat shows them", async () => {
  const at = await newChat(owner);
  const id = await ready(Buffer.from("words"), "w.txt", at);
  const start = (attachmentIds: readonly string[]) =>
    served.ask("POST", `/conversations/${at}/turns`, {
      as: owner,
      body: { text: "Read it", clientId: randomUUID(), attachmentIds },
    });
  expect(await start([randomUUID()])).toMatchObject({ status: 422, body: { code: "attachment_invalid" } });
  expect(await start(["no id"])).toMatchObject({ status: 400, body: { code: "body_invalid" } });
  expect((await start([id])).status).toBe(202);
  await expect
    .poll(async () => (await served.ask("GET", `/conversations/${at}/messages`, { as: owner })).body["messages"])
    .toMatchObject([{ role: "user", files: [{ id, name: "w.txt", picture: false }] }, { role: "assistant" }]);
  expect((await served.ask("DELETE", `/attachments/${id}`, { as: owner })).status).toBe(409);
});

interface Quirk extends ReplayCase {
  readonly kind: string;
}
const recorded = new URL("../../../shared/fixtures/quirks.jsonl", import.meta.url);
const own: readonly Quirk[] = [
  [400, { error: "unknown variant `image_url`, expected `text`" }],
  [413, "<html><h1>413 Request Entity Too Large</h1></html>"],
  [415, { message: "Unsupported Media Type" }],
  [422, { detail: [{ type: "string_type", loc: ["content"], msg: "a string was needed" }] }],
  [404, { message: "Cannot POST /v1/chat/completions" }],
].map(([http_status, body], index) => {
  const status = http_status as number;
  return { id: `own-${index}`, kind: "image_refused", protocol: "openai-chat", http_status: status, body };
});
const refusals: readonly Quirk[] = [
  ...own,
  ...(existsSync(recorded) ? readFileSync(recorded, "utf8").trim().split("\n") : [])
    .map((line): Quirk => (typeof line === "string" ? (JSON.parse(line) as Quirk) : line))
    .filter(({ kind }) => kind === "image_refused"),
];

describe("A provider that refuses the first call with a picture", () => {
  let provider: ReplayServer;
  beforeAll(async () => {
    const cases = new Map<string, ReplayCase>(refusals.map((one) => [one.id, one]));
    provider = await startReplayServer(({ id }) => cases.get(id) ?? null);
  });
  afterAll(() => provider.close());

  test.each(refusals)("in the way of $id ($http_status)", async ({ id, protocol, http_status: status }) => {
    const baseURL = provider.baseURL(id);
    const names = {
      "openai-chat": "openai-compatible",
      "openai-responses": "openai",
      anthropic: "anthropic",
      google: "google",
    } as const;
    const host = await serveDesk([], {
      files: { folder },
      models: {
        endpoints: [
          { name: "m", provider: names[protocol], model: "m", baseURL, images: true, credential: { value: "key" } },
        ],
        allowPrivateEndpoints: [new URL(baseURL).host],
      },
    });
    const before = { served, owner, chat };
    try {
      served = host;
      owner = host.desk.signIn("nora");
      chat = await newChat(owner);
      const picture = await ready(toPng(5, 5), "p.png");
      await host.ask("POST", `/conversations/${chat}/turns`, {
        as: owner,
        body: { text: "", clientId: "1", attachmentIds: [picture] },
      });
      const goesBack = [400, 413, 415, 422].includes(status);
      const messages = async () =>
        (await host.ask("GET", `/conversations/${chat}/messages`, { as: owner })).body["messages"];
      await expect.poll(messages, { timeout: 8_000 }).toHaveLength(2);
      const [question, notice] = (await messages()) as { text: string; files: unknown[]; code?: string }[];
      const waiting = (await host.ask("GET", `/conversations/${chat}/attachments`, { as: owner })).body["attachments"];
      if (goesBack) {
        expect(question).toMatchObject({ text: "(files taken back)", files: [] });
        expect(notice?.code).toBe("pictures_taken_back");
        expect(waiting).toMatchObject([{ id: picture, state: "ready" }]);
      } else {
        expect(question?.files).toHaveLength(1);
        expect(notice?.code).not.toBe("pictures_taken_back");
        expect(waiting).toEqual([]);
      }
    } finally {
      ({ served, owner, chat } = before);
      await host.close();
    }
  });
});
