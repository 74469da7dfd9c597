import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { contenders, type ContenderName, type Held } from "./peer.ts";

/** What a process of a contender is started with. */
export interface PeerNodeSetup {
  readonly name: ContenderName;
  readonly connectionString: string;
  /** For races: writes a line for each run, and may die after it. Without, the write's handler answers at once. */
  readonly handler?: { readonly file: string; readonly takesMs: number; readonly dies: boolean };
}

type Order =
  | { readonly what: "turn"; readonly chat: string }
  | { readonly what: "turns"; readonly chats: readonly string[]; readonly each: number }
  | { readonly what: "write" | "hold"; readonly chat: string; readonly name: string }
  | { readonly what: "approve" | "recover"; readonly held: Held }
  | { readonly what: "forge"; readonly held: Held; readonly name: string }
  | { readonly what: "close" };

export type Asked = Order & { readonly id: number };
export type NodeAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly reason: string };

/** A contender in a process of its own. */
export interface PeerProcess {
  /** Milliseconds that a turn took. */
  turn(chat: string): Promise<number>;
  /** Milliseconds until all of these chats had so many turns, all chats at once. */
  turns(chats: readonly string[], each: number): Promise<number>;
  /** Milliseconds from the model's asking for a write to its stored outcome. */
  write(chat: string, name: string): Promise<number>;
  hold(chat: string, name: string): Promise<Held>;
  /** Answers whether it was refused; a process that dies meanwhile refuses nothing. */
  approve(held: Held): Promise<boolean>;
  forge(held: Held, name: string): Promise<boolean>;
  recover(held: Held): Promise<boolean>;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL("peer-node.ts", import.meta.url));
const folder = new URL("peers/", import.meta.url);

/** Whether the peers were installed, by `npm run peers`. */
export function arePeersInstalled(): boolean {
  return existsSync(new URL("node_modules/ai/package.json", folder));
}

export const howToInstall = "The peers are not installed: `npm run peers` installs them, into bench/peers, once.";

/** The versions of a contender's packages, as they are installed; ours is the one that is here. */
export function versionsOf(name: ContenderName): string {
  const version = (packageName: string): string => {
    const text = readFileSync(new URL(`node_modules/${packageName}/package.json`, folder), "utf8");
    return (JSON.parse(text) as { readonly version: string }).version;
  };
  return contenders[name].packages.map(version).join(", ") || "as it is here";
}

export async function startPeer(setup: PeerNodeSetup): Promise<PeerProcess> {
  const child = fork(program, [], {
    execArgv: ["--conditions=countersign-source"],
    env: { ...process.env, ...quiet, COUNTERSIGN_BENCH_PEER: JSON.stringify(setup) },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => (said = `${said}${piece.toString()}`.slice(-4_000)));
  const waiting = new Map<number, (answer: NodeAnswer) => void>();
  let gone = false;
  const end = once(child, "exit").then(() => {
    gone = true;
    for (const [id, tell] of waiting) tell({ id, ok: false, reason: died });
  });
  const ready = once(child, "message");
  await Promise.race([ready, end]);
  if (gone) throw new Error(`${setup.name} did not start: ${said}`);
  child.on("message", (answer: NodeAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let orders = 0;
  const tell = (order: Order): Promise<NodeAnswer> =>
    new Promise((resolve) => {
      const id = (orders += 1);
      if (gone) return resolve({ id, ok: false, reason: died });
      waiting.set(id, resolve);
      child.send({ ...order, id });
    });
  /** For what has to go well. */
  const get = async <Value>(order: Order): Promise<Value> => {
    const answer = await tell(order);
    if (!answer.ok) throw new Error(`${setup.name}, ${order.what}: ${answer.reason}\n${said}`);
    return answer.value as Value;
  };
  const isRefused = async (order: Order): Promise<boolean> => {
    const answer = await tell(order);
    return !answer.ok && answer.reason !== died;
  };
  return {
    turn: (chat) => get({ what: "turn", chat }),
    turns: (chats, each) => get({ what: "turns", chats, each }),
    write: (chat, name) => get({ what: "write", chat, name }),
    hold: (chat, name) => get({ what: "hold", chat, name }),
    approve: (held) => isRefused({ what: "approve", held }),
    forge: (held, name) => isRefused({ what: "forge", held, name }),
    async recover(held) {
      const answer = await tell({ what: "recover", held });
      return answer.ok && answer.value === true;
    },
    async close() {
      await tell({ what: "close" });
      child.kill();
      await end;
    },
  };
}

const died = "the process died";

/** No peer sends anything about itself anywhere. */
const quiet = {
  MASTRA_TELEMETRY_DISABLED: "1",
  LANGCHAIN_TRACING_V2: "false",
  LANGSMITH_TRACING: "false",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
};
