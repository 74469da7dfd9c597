/** Who may set a setting: `code` alone, an admin too, or the user for themself too. */
export type SetBy = "code" | "admin" | "user";

interface Spec<Value> {
  readonly default: Value;
  readonly setBy: SetBy;
  readonly describe: string;
  /** For numbers, which are whole but for amounts in USD: inclusive bounds, and the unit people read. For texts: most characters. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  /** For texts: a list of names with commas between, none of them but those of the default. */
  readonly listed?: true;
  /** An admin may also set it for one user. */
  readonly perUser?: true;
}

const number = (spec: Spec<number> & { readonly min: number; readonly max: number }): Spec<number> => spec;
const boolean = (spec: Spec<boolean>): Spec<boolean> => spec;
const text = (spec: Spec<string> & { readonly max: number }): Spec<string> => spec;
/** A number, or null for "none". */
const optionalNumber = (
  spec: Spec<number | null> & { readonly min: number; readonly max: number },
): Spec<number | null> => spec;

/**
 * Everything that can be set, with its default, bounds and who may set it. The docs' table and the admin page are made
 * from this. Modules' own switches are settings too, keyed `module:<key>:on` and `module:<key>:writes`.
 */
export const settingsSchema = {
  assistantOn: boolean({
    default: true,
    setBy: "admin",
    describe: "The whole assistant. Off: turns and confirms are refused; a waiting change can still be cancelled.",
  }),
  aiOn: boolean({
    default: true,
    setBy: "admin",
    describe: "Calls of a model. Off: turns are refused; clicks on cards go on.",
  }),
  confirmationTtl: number({
    default: 3_600,
    min: 60,
    max: 604_800,
    unit: "s",
    setBy: "admin",
    describe: "How long a held write waits for its user.",
  }),
  maxToolRounds: number({
    default: 10,
    min: 1,
    max: 50,
    setBy: "admin",
    describe: "Rounds of one turn: calls of the model.",
  }),
  maxCallsPerRound: number({
    default: 10,
    min: 1,
    max: 50,
    setBy: "code",
    describe: "Tool calls run of one answer; those beyond are denied.",
  }),
  toolResultChars: number({
    default: 8_000,
    min: 500,
    max: 100_000,
    unit: "characters",
    setBy: "admin",
    describe: "A tool's result is cut to this before it is stored.",
  }),
  historyChars: number({
    default: 60_000,
    min: 2_000,
    max: 2_000_000,
    unit: "characters",
    setBy: "admin",
    describe: "How much of earlier turns the model gets.",
  }),
  messageChars: number({
    default: 20_000,
    min: 100,
    max: 200_000,
    unit: "characters",
    setBy: "admin",
    describe: "The longest message a user may send.",
  }),
  attachmentBytes: number({
    default: 20_971_520,
    min: 1_024,
    max: 209_715_200,
    unit: "bytes",
    setBy: "admin",
    describe: "The largest file a user may upload.",
  }),
  attachmentsPerMessage: number({
    default: 10,
    min: 1,
    max: 50,
    setBy: "admin",
    describe: "Files a message may have.",
  }),
  attachmentsWaitingBytes: number({
    default: 209_715_200,
    min: 1_024,
    max: 10_737_418_240,
    unit: "bytes",
    setBy: "admin",
    perUser: true,
    describe: "What a user's files that were not sent yet may take in all.",
  }),
  attachmentChars: number({
    default: 30_000,
    min: 500,
    max: 1_000_000,
    unit: "characters",
    setBy: "admin",
    describe: "How much text of its files goes along with a message.",
  }),
  attachmentTypes: text({
    default: "text, markdown, csv, json, pdf, docx, xlsx, png, jpeg, webp, gif",
    max: 200,
    listed: true,
    setBy: "admin",
    describe: "The types of files that are taken: those of the default or fewer, with commas between. Empty: none.",
  }),
  readTime: number({
    default: 20,
    min: 1,
    max: 300,
    unit: "s",
    setBy: "code",
    describe: "How long the reading of a file may take.",
  }),
  readMemory: number({
    default: 300,
    min: 150,
    max: 4_096,
    unit: "MB",
    setBy: "code",
    describe: "How much memory the process that reads a file may take.",
  }),
  readsAtOnce: number({
    default: 0,
    min: 0,
    max: 32,
    setBy: "code",
    describe:
      "Files that one node reads at the same time; others wait. 0: one fewer than its processors, at least one.",
  }),
  attachmentLease: number({
    default: 60_000,
    min: 1_000,
    max: 600_000,
    unit: "ms",
    setBy: "code",
    describe: "A file whose receiving or reading was not kept for this long was interrupted.",
  }),
  keepUnsentFor: number({
    default: 24,
    min: 1,
    max: 720,
    unit: "h",
    setBy: "code",
    describe: "Files that were never sent are deleted after this.",
  }),
  instructionsChars: number({
    default: 4_000,
    min: 0,
    max: 20_000,
    unit: "characters",
    setBy: "code",
    describe: "The user's own instructions are cut to this.",
  }),
  turnsPerHour: number({
    default: 60,
    min: 1,
    max: 100_000,
    setBy: "admin",
    perUser: true,
    describe: "Turns a user may start in an hour.",
  }),
  turnsPerDay: number({
    default: 500,
    min: 1,
    max: 1_000_000,
    setBy: "admin",
    perUser: true,
    describe: "Turns a user may start in a day.",
  }),
  turnDeadline: number({
    default: 180,
    min: 5,
    max: 3_600,
    unit: "s",
    setBy: "admin",
    describe: "How long a turn may take before it is asked to stop.",
  }),
  stopGrace: number({
    default: 15,
    min: 1,
    max: 120,
    unit: "s",
    setBy: "code",
    describe: "How long a model call under way may take to end after a stop, before it is aborted.",
  }),
  lockHold: number({
    default: 30_000,
    min: 200,
    max: 300_000,
    unit: "ms",
    setBy: "code",
    describe: "How long a user's lock holds from its last keep. The same on every node.",
  }),
  clickKeepMs: number({
    default: 10_000,
    min: 100,
    max: 15_000,
    unit: "ms",
    setBy: "code",
    describe: "How often a click keeps its lock; at most half of `lockHold`.",
  }),
  turnKeepMs: number({
    default: 10_000,
    min: 100,
    max: 15_000,
    unit: "ms",
    setBy: "code",
    describe: "How often a turn keeps its lock; at most half of `lockHold`.",
  }),
  sweepEvery: number({
    default: 10_000,
    min: 100,
    max: 60_000,
    unit: "ms",
    setBy: "code",
    describe: "How often each node looks for turns and clicks whose node died.",
  }),
  hostCallLimit: number({
    default: 5_000,
    min: 100,
    max: 60_000,
    unit: "ms",
    setBy: "code",
    describe: "How long `sessions.load` and a rights check may take.",
  }),
  toolTimeLimit: number({
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: "ms",
    setBy: "code",
    describe: "How long a tool may run, where it does not say so itself.",
  }),
  previewTimeLimit: number({
    default: 10_000,
    min: 100,
    max: 60_000,
    unit: "ms",
    setBy: "code",
    describe: "How long a dry run may take.",
  }),
  runEndMargin: number({
    default: 5_000,
    min: 0,
    max: 60_000,
    unit: "ms",
    setBy: "code",
    describe: "Added to a handler's limit before its end counts as unknown.",
  }),
  argumentsBytes: number({
    default: 262_144,
    min: 1_024,
    max: 1_048_576,
    unit: "bytes",
    setBy: "code",
    describe: "The largest arguments a call may have.",
  }),
  argumentsDepth: number({
    default: 64,
    min: 4,
    max: 256,
    setBy: "code",
    describe: "The deepest arguments a call may have.",
  }),
  previewBytes: number({
    default: 65_536,
    min: 1_024,
    max: 1_048_576,
    unit: "bytes",
    setBy: "code",
    describe: "The largest dry run a card may have.",
  }),
  readsPerMinute: number({
    default: 60,
    min: 1,
    max: 100_000,
    setBy: "admin",
    perUser: true,
    describe: "Reads a user may run in a minute.",
  }),
  holdsPerMinute: number({
    default: 20,
    min: 1,
    max: 100_000,
    setBy: "admin",
    perUser: true,
    describe: "Writes a user may have held in a minute.",
  }),
  redeemsPerMinute: number({
    default: 20,
    min: 1,
    max: 100_000,
    setBy: "admin",
    perUser: true,
    describe: "Held writes a user may run in a minute.",
  }),
  pageMessages: number({ default: 50, min: 5, max: 200, setBy: "code", describe: "Messages of one page." }),
  cardChars: number({
    default: 2_000,
    min: 200,
    max: 20_000,
    unit: "characters",
    setBy: "code",
    describe: "Arguments and each value of a card are cut to this on a page; the whole is one request away.",
  }),
  watchRecheck: number({
    default: 30_000,
    min: 100,
    max: 300_000,
    unit: "ms",
    setBy: "code",
    describe: "How often a watcher's session is looked at again.",
  }),
  watchBacklog: number({
    default: 1_048_576,
    min: 16_384,
    max: 16_777_216,
    unit: "bytes",
    setBy: "code",
    describe: "How far a watcher may fall behind before it is cut off.",
  }),
  modelRetries: number({
    default: 2,
    min: 0,
    max: 5,
    setBy: "code",
    describe: "New attempts of a failed model call, before anything was shown.",
  }),
  modelIdleLimit: number({
    default: 60_000,
    min: 1_000,
    max: 600_000,
    unit: "ms",
    setBy: "code",
    describe: "How long a model's stream may be silent.",
  }),
  modelTotalLimit: number({
    default: 170_000,
    min: 1_000,
    max: 3_600_000,
    unit: "ms",
    setBy: "code",
    describe: "How long one call of a model may take.",
  }),
  modelBytes: number({
    default: 8_388_608,
    min: 65_536,
    max: 134_217_728,
    unit: "bytes",
    setBy: "code",
    describe: "The largest answer of a model that is read.",
  }),
  journalLease: number({
    default: 30_000,
    min: 1_000,
    max: 300_000,
    unit: "ms",
    setBy: "code",
    describe: "A journal row that was not kept for this long is lost.",
  }),
  endpoint: text({
    default: "",
    max: 200,
    setBy: "admin",
    perUser: true,
    describe:
      "The endpoint that answers, by name; of the site its default, of a user their own. Empty: the first in code.",
  }),
  pictureEndpoint: text({
    default: "",
    max: 200,
    setBy: "admin",
    perUser: true,
    describe: "The endpoint for turns with pictures, by name. Empty: the one that answers the rest.",
  }),
  offeredEndpoints: text({
    default: "",
    max: 2_000,
    setBy: "admin",
    describe: "The endpoints users may choose among, by name, with commas between.",
  }),
  chosenEndpoint: text({
    default: "",
    max: 200,
    setBy: "user",
    describe: "The endpoint the user chose among those offered; any other name counts as none.",
  }),
  captureContent: boolean({ default: false, setBy: "admin", describe: "Keep prompts and answers in the journal." }),
  siteBudgetDay: optionalNumber({
    default: null,
    min: 0,
    max: 1_000_000,
    unit: "USD",
    setBy: "admin",
    describe: "What the whole site may spend in a UTC day.",
  }),
  siteBudgetMonth: optionalNumber({
    default: null,
    min: 0,
    max: 10_000_000,
    unit: "USD",
    setBy: "admin",
    describe: "What the whole site may spend in a UTC month.",
  }),
  userBudgetDay: optionalNumber({
    default: null,
    min: 0,
    max: 1_000_000,
    unit: "USD",
    setBy: "admin",
    perUser: true,
    describe: "What a user may spend in a UTC day.",
  }),
  userBudgetMonth: optionalNumber({
    default: null,
    min: 0,
    max: 10_000_000,
    unit: "USD",
    setBy: "admin",
    perUser: true,
    describe: "What a user may spend in a UTC month.",
  }),
  offPurposeLimit: number({
    default: 5,
    min: 0,
    max: 1_000,
    setBy: "admin",
    perUser: true,
    describe: "Flags within the window that suspend a user's turns; 0 turns it off.",
  }),
  offPurposeWindow: number({
    default: 86_400,
    min: 60,
    max: 2_592_000,
    unit: "s",
    setBy: "admin",
    describe: "The window in which flags are counted.",
  }),
  keepChatsFor: optionalNumber({
    default: null,
    min: 1,
    max: 3_650,
    unit: "days",
    setBy: "admin",
    describe: "Chats without a message for this long are deleted.",
  }),
  keepJournalFor: optionalNumber({
    default: null,
    min: 1,
    max: 3_650,
    unit: "days",
    setBy: "admin",
    describe: "Journal rows older than this are deleted.",
  }),
  instructions: text({
    default: "",
    max: 20_000,
    setBy: "user",
    describe: "The user's own instructions, quoted to the model as the user's.",
  }),
} as const;

export type SettingsSchema = typeof settingsSchema;
export type SettingKey = keyof SettingsSchema;
/** The values in effect. */
export type SettingValues = {
  readonly [Key in SettingKey]: SettingsSchema[Key] extends Spec<infer Value> ? Value : never;
};
