import { benchConfirm } from "./confirm.ts";
import { benchGrowth, benchHistory } from "./growth.ts";
import { benchLoad } from "./load.ts";
import { toRatio } from "./measure.ts";
import { benchPanel } from "./panel.ts";
import { benchPeers } from "./peers.ts";
import { setStage, type Stage } from "./stage.ts";
import { benchStart } from "./start.ts";
import { benchStream } from "./stream.ts";
import { benchTurn } from "./turn.ts";
import { benchUpload } from "./upload.ts";
import { benchUploads } from "./uploads.ts";
import { benchWatch } from "./watch.ts";

/** One program of this folder. */
export interface Bench {
  readonly about: string;
  readonly goal: string;
  /** Measures once and answers its figures. */
  run(runs?: number): Promise<object>;
}

/** Runs a bench on a real PostgreSQL of its own. */
async function onStage<Figures>(work: (stage: Stage) => Promise<Figures>): Promise<Figures> {
  const stage = await setStage();
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
}

export const benches: Readonly<Record<string, Bench>> = {
  turn: {
    about: "a turn of two model calls and one read, beside its durable rows written bare in four statements",
    goal: "at most 1.5 × the floor, p50",
    run: (runs) => onStage(async (stage) => toRatio(await benchTurn(stage, runs))),
  },
  upload: {
    about: "a file of 20 MB uploaded over HTTP and read, by how much more memory the server takes meanwhile",
    goal: "at most 30 MB more for one",
    run: (runs) => onStage((stage) => benchUpload(stage, runs)),
  },
  uploads: {
    about: "a turn while a hundred files are uploaded and read at once, beside a turn while none is",
    goal: "at most 1.2 × its time, p50",
    run: (runs) => onStage((stage) => benchUploads(stage, runs)),
  },
  confirm: {
    about: "a write held, confirmed and told, beside its durable rows written bare in three statements",
    goal: "at most 1.5 × the floor, p50",
    run: (runs) => onStage(async (stage) => toRatio(await benchConfirm(stage, runs))),
  },
  peers: {
    about:
      "a turn; a write from the model's asking to its stored outcome; turns a second of 20 people: beside other packages, same script, same server",
    goal: "at most a third of the time of the faster one that stores; 3 × its turns a second",
    run: (runs) => onStage((stage) => benchPeers(stage, runs)),
  },
  load: {
    about: "100 people at once on one node, each turn after turn, beside as many who write the rows bare",
    goal: "none refused, none lost; throughput within 30 % of the floor's",
    run: (runs) => onStage((stage) => benchLoad(stage, runs)),
  },
  history: {
    about:
      "a turn in a chat of 20,000 messages beside one in a chat of 20: with long messages, so that both send the same history, and with short ones",
    goal: "with long messages the same",
    run: (runs) => onStage((stage) => benchHistory(stage, runs)),
  },
  growth: {
    about:
      "a turn in chats of 100 to 100,000 messages, beside 1,000 to 100,000 chats, and on 1, 2 and 4 nodes of one database",
    goal: "grows by less than 10 % over the whole range",
    run: (runs) => onStage((stage) => benchGrowth(stage, runs)),
  },
  watch: {
    about: "1,000 people watching a chat each, told 100 events each, beside raw Node writing the same bytes",
    goal: "nothing lost; at most 1.3 × its CPU time",
    run: () => onStage((stage) => benchWatch(stage)),
  },
  stream: {
    about:
      "one more piece of a streamed answer, from the model to a watcher's stream, beside Node piping the same frames",
    goal: "no goal is set",
    run: (runs) => onStage((stage) => benchStream(stage, runs)),
  },
  panel: {
    about:
      "the built panel in a browser: opening and scrolling a chat of 10,000 messages, typing while an answer streams, at 4 × slower processors, memory",
    goal: "open in 1,000 ms; a key on the screen within 50 ms at 4 ×, p95; memory bounded",
    run: (runs) => benchPanel(runs),
  },
  start: {
    about: "a node of the built package: its import, from start to ready, its memory when idle",
    goal: "at most 200 ms, 1,000 ms, 110 MB",
    run: (runs) => onStage((stage) => benchStart(stage, runs)),
  },
};
