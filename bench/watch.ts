import { fork } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { fileURLToPath } from "node:url";
import { round } from "./measure.ts";
import type { Stage } from "./stage.ts";
import type { WatchedDone, WatchedReady, WatchedSetup } from "./watch-server.ts";

const people = 1_000;
const events = 100;

/** A thousand people, each watching a chat of their own over HTTP, told a hundred events each, beside raw Node writing the same bytes. */
export async function benchWatch(stage: Stage): Promise<object> {
  const { connectionString } = stage;
  const raw = await serveAndRead({ kind: "raw", connectionString, people, events });
  const ours = await serveAndRead({ kind: "ours", connectionString, people, events });
  return {
    people,
    events_each: events,
    events_lost: people * events - ours.seen,
    ours_cpu_ms: round(ours.cpuMs, 0),
    raw_cpu_ms: round(raw.cpuMs, 0),
    ratio: round(ours.cpuMs / raw.cpuMs),
  };
}

/** Starts a server in a process of its own, reads all its streams here, and answers what telling cost it. */
async function serveAndRead(setup: WatchedSetup): Promise<{ readonly cpuMs: number; readonly seen: number }> {
  const child = fork(fileURLToPath(new URL("watch-server.ts", import.meta.url)), [], {
    execArgv: ["--conditions=countersign-source"],
    env: { ...process.env, COUNTERSIGN_BENCH_WATCH: JSON.stringify(setup) },
  });
  try {
    const [ready] = (await once(child, "message")) as [WatchedReady];
    let seen = 0;
    const wanted = people * events;
    const all = Promise.withResolvers<void>();
    const streams = ready.paths.map(({ path, user }) => {
      const request = get(`${ready.origin}${path}`, { headers: { "x-user": user }, agent: false });
      const open = Promise.withResolvers<void>();
      request.on("response", (response) => {
        response.setEncoding("utf8");
        let rest = "";
        response.on("data", (piece: string) => {
          open.resolve();
          rest += piece;
          seen += rest.split(eventMark).length - 1;
          rest = rest.slice(-eventMark.length + 1);
          if (seen >= wanted) all.resolve();
        });
      });
      request.on("error", open.reject);
      return { request, open: open.promise };
    });
    // Each has had its first event, `hello`: it watches.
    await Promise.all(streams.map(({ open }) => open));
    child.send("tell");
    const [done] = (await once(child, "message")) as [WatchedDone];
    await Promise.race([all.promise, new Promise((resolve) => setTimeout(resolve, 10_000))]);
    for (const { request } of streams) request.destroy();
    return { cpuMs: done.cpuMs, seen };
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

const eventMark = '"type":"delta"';
