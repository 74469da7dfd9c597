import type { SettingValues } from "../../src/settings/schema.ts";

/** Where a node ends: at the moment, and the how-manieth time it comes there. */
export interface Death {
  readonly point: DeathPoint;
  readonly nth: number;
  /** SIGKILL, at once, unless it is told to end as a deploy does. */
  readonly signal?: DeathSignal;
}

export type DeathSignal = "SIGKILL" | "SIGTERM";

export const deathPoints = [
  "before the question",
  "after the question",
  "between rounds",
  "after the model's answer",
  "before the end of a turn",
  "after the end of a turn",
  "after the hold",
  "before the spend",
  "after the spend",
  "in the handler",
  "after the handler's end",
  "before the notice",
  "after the notice",
] as const;
export type DeathPoint = (typeof deathPoints)[number];

/** Mistakes put into a node on purpose, to see that they are caught. */
export const mistakes = ["spend after the handler", "no fence", "notice before the spend", "keeping stopped"] as const;
export type Mistake = (typeof mistakes)[number];

/** What a node process is started with, as JSON in its environment. */
export interface NodeSetup {
  readonly name: string;
  readonly connectionString: string;
  /** Each run of a write's handler leaves a line here, before it does anything. */
  readonly handlerFile: string;
  /** Each call of the model leaves a line here when it is begun and when it has answered. */
  readonly modelFile: string;
  /** Everything that the node logs. */
  readonly logFile: string;
  /** What a line of it holds and nobody may log, as it was found. */
  readonly leakFile: string;
  readonly values: Partial<SettingValues>;
  /** How far this node's clock is off, in milliseconds. */
  readonly clockShiftMs: number;
  /** Makes the costs of its model calls its own. */
  readonly number: number;
  /** Each call of the model can cost a dollar at most, and does. */
  readonly dollarCalls?: boolean;
  readonly death?: Death;
  readonly mistake?: Mistake;
}

export const setupVariable = "COUNTERSIGN_FAULTS_NODE";

/** A line of the handlers' side file. */
export interface HandlerLine {
  readonly confirmationId: string;
  readonly name: string;
  readonly userId: string;
  readonly node: string;
}

/** A line of the models' side file. `tag` is that of the question. */
export interface ModelLine {
  readonly tag: string;
  readonly node: string;
  readonly call: number;
  readonly what: "begun" | "answered";
  readonly costMicros: number;
}
