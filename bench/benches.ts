import { benchConfirm } from "./confirm.ts";
import { toRatio } from "./measure.ts";
import { setStage, type Stage } from "./stage.ts";
import { benchTurn } from "./turn.ts";
import { benchUpload } from "./upload.ts";

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
  confirm: {
    about: "a write held, confirmed and told, beside its durable rows written bare in three statements",
    goal: "at most 1.5 × the floor, p50",
    run: (runs) => onStage(async (stage) => toRatio(await benchConfirm(stage, runs))),
  },
};
