/**
 * What is timed beside each other: chats with a read and a write that has to be approved, kept in the way of whoever
 * keeps them, driven by one script. A scripted model answers at once.
 */
export interface Contender {
  /** A turn: a question, a model call that asks for a read, the read, a model call that answers. Over when all of it is stored. */
  ask(chat: string): Promise<void>;
  /** The model asks for a write under this name, which has to be approved. Answers what the person's browser holds of it. */
  hold(chat: string, name: string): Promise<Held>;
  /** The person approves. Over when the write's outcome is stored. */
  approve(held: Held): Promise<void>;
  close(): Promise<void>;
}

/** Another package, used as its own documentation says. */
export interface Peer extends Contender {
  /** The same from a browser that says other arguments than those that were shown; rejects where the peer refuses. */
  forge(held: Held, name: string): Promise<void>;
  /** What is to be done for a chat whose process died in the handler; answers whether the chat then says that the write was done. */
  recover(held: Held): Promise<boolean>;
}

/** Crosses processes as JSON. */
export interface Held {
  readonly chat: string;
  readonly name: string;
  /** What the peer gave to the browser. */
  readonly state: unknown;
}

export interface ContenderSetup {
  /** A database of its own, on the server that all share. */
  readonly connectionString: string;
  /** Called when the scripted model asks for the write. */
  onAsked(): void;
  /** The handler of the write. */
  onWrite(name: string): Promise<object>;
}

/** What the module of a peer exports as its default. */
export type OpenPeer = (setup: ContenderSetup) => Promise<Peer>;

/** Connections of each to the database, and the default of all of them. */
export const connections = 10;

/** What everybody's model asks and answers, and everybody's read finds. */
export const script = {
  question: "Which invoices are overdue?",
  wish: "Please rename it: ",
  answer: "Two invoices are overdue: INV-1 and INV-2.",
  done: "It is renamed.",
  instructions: "You are the assistant of a back office.",
  read: { name: "find_invoices", description: "Finds invoices." },
  write: { name: "rename_record", description: "Renames the record." },
  found: [{ number: "INV-1" }, { number: "INV-2" }],
} as const;

/** What the model does next: it reads or writes as the question says, and once that has a result it answers. */
export function nextStep(question: string, hasResult: boolean): Step {
  const isWish = question.startsWith(script.wish);
  if (hasResult) return { kind: "answer", text: isWish ? script.done : script.answer };
  if (!isWish) return { kind: "call", name: script.read.name, args: {} };
  return { kind: "call", name: script.write.name, args: { name: question.slice(script.wish.length) } };
}

export type Step =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "call"; readonly name: string; readonly args: Readonly<Record<string, string>> };

/** Who is timed and raced. */
export const contenders = {
  ours: { title: "Countersign", stores: true, module: "ours.ts", packages: [] },
  langgraph: {
    title: "LangGraph + PostgresSaver",
    stores: true,
    module: "peers/langgraph.ts",
    packages: ["@langchain/langgraph", "@langchain/langgraph-checkpoint-postgres"],
  },
  mastra: {
    title: "Mastra + PostgresStore",
    stores: true,
    module: "peers/mastra.ts",
    packages: ["@mastra/core", "@mastra/pg", "@mastra/memory"],
  },
  "ai-sdk": { title: "AI SDK", stores: false, module: "peers/ai-sdk.ts", packages: ["ai"] },
  "ai-sdk-signed": {
    title: "AI SDK, approvals signed",
    stores: false,
    module: "peers/ai-sdk-signed.ts",
    packages: ["ai"],
  },
  "openai-agents": {
    title: "OpenAI Agents",
    stores: false,
    module: "peers/openai-agents.ts",
    packages: ["@openai/agents"],
  },
} as const satisfies Record<string, Entry>;

interface Entry {
  readonly title: string;
  /** Whether it stores chats itself. */
  readonly stores: boolean;
  /** Under this folder. */
  readonly module: string;
  /** Whose versions are told. */
  readonly packages: readonly string[];
}

export type ContenderName = keyof typeof contenders;
export type PeerName = Exclude<ContenderName, "ours">;
