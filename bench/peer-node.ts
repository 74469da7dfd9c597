// One contender in a process of its own, told what to do by the process that started it.
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { timed } from "./measure.ts";
import { openOurs } from "./ours.ts";
import { contenders, type Contender, type Held, type OpenPeer, type Peer } from "./peer.ts";
import type { Asked, NodeAnswer, PeerNodeSetup } from "./peer-process.ts";

// Written by the process that starts this one.
const setup = JSON.parse(process.env["COUNTERSIGN_BENCH_PEER"] ?? "{}") as PeerNodeSetup;
process.on("disconnect", () => process.exit(1));

let askedAt = 0;
const contender = await open();
process.on("message", (asked: Asked) => {
  void answer(asked).then((told) => process.send?.(told));
});
process.send?.("ready");

async function open(): Promise<Contender & Partial<Peer>> {
  const { name, connectionString, handler } = setup;
  const shared = { connectionString, onAsked: () => void (askedAt = performance.now()) };
  const onWrite = async (written: string): Promise<object> => {
    if (handler === undefined) return { renamed: true };
    appendFileSync(handler.file, `${written}\n`);
    if (handler.dies) process.kill(process.pid, "SIGKILL");
    // Two that run at once overlap.
    await pause(handler.takesMs);
    return { renamed: true };
  };
  if (name === "ours") return openOurs({ ...shared, onWrite });
  // Loaded by its address: its packages are not there for whoever did not install them.
  const { href } = new URL(contenders[name].module, import.meta.url);
  const { default: openPeer } = (await import(href)) as { readonly default: OpenPeer };
  return openPeer({ ...shared, onWrite });
}

async function answer(asked: Asked): Promise<NodeAnswer> {
  try {
    return { id: asked.id, ok: true, value: await doIt(asked) };
  } catch (error) {
    return { id: asked.id, ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function doIt(asked: Asked): Promise<unknown> {
  switch (asked.what) {
    case "turn":
      return timed(() => contender.ask(asked.chat));
    case "turns":
      return timed(() => Promise.all(asked.chats.map((chat) => takeTurns(chat, asked.each))));
    case "write":
      return timeWrite(asked.chat, asked.name);
    case "hold":
      return contender.hold(asked.chat, asked.name);
    case "approve":
      return contender.approve(asked.held);
    case "forge":
      return contender.forge?.(asked.held, asked.name);
    case "recover":
      return contender.recover?.(asked.held);
    case "close":
      return contender.close();
  }
}

async function takeTurns(chat: string, each: number): Promise<void> {
  for (let turn = 0; turn < each; turn++) await contender.ask(chat);
}

/** From the moment in which the model asks for the write until its outcome is stored, without what is between card and click. */
async function timeWrite(chat: string, name: string): Promise<number> {
  const held: Held = await contender.hold(chat, name);
  const holding = performance.now() - askedAt;
  return holding + (await timed(() => contender.approve(held)));
}
