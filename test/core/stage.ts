import type { RedeemAnswer } from "../../src/core/core.ts";
import type { Module } from "../../src/core/tool.ts";
import { createTestDatabase } from "../../src/testing/test-database.ts";
import {
  type CoreNode,
  type CoreNodeSetup,
  createPeople,
  hold,
  type People,
  type SignIn,
  startCoreNode,
  toCall,
} from "./core-node.ts";
import { createNotes, type Notes } from "./notes.ts";
import { connectRaw, type Raw } from "./raw.ts";

/** A database with a host of notes and one node or more on it, and a user signed in. */
export interface Stage {
  readonly people: People;
  readonly notes: Notes;
  readonly node: CoreNode;
  readonly raw: Raw;
  readonly connectionString: string;
  /** A user nobody else is; `ada` of the stage from then on. */
  enter(): SignIn;
  readonly ada: SignIn;
  startNode(more?: Partial<CoreNodeSetup>): Promise<CoreNode>;
  holdIt(tool?: string, args?: string): Promise<string>;
  click(confirmationId: string, more?: Click): Promise<RedeemAnswer>;
  rowOf(id: string): Promise<Record<string, unknown> | undefined>;
  /** The audit rows of what was done to a row, without its hold. */
  auditOf(id: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface Click {
  readonly signIn?: SignIn;
  readonly tool?: string;
  readonly args?: string;
  readonly on?: CoreNode;
}

export async function setStage(
  setup: Pick<CoreNodeSetup, "values" | "now"> & { readonly modules?: readonly Module[] } = {},
): Promise<Stage> {
  const { modules = [], ...rest } = setup;
  const people = createPeople();
  const notes = createNotes();
  const db = await createTestDatabase();
  const { connectionString } = db;
  const nodes: CoreNode[] = [];
  const startNode = async (more: Partial<CoreNodeSetup> = {}): Promise<CoreNode> => {
    const made = await startCoreNode({
      connectionString,
      people,
      modules: [...notes.modules, ...modules],
      ...rest,
      ...more,
    });
    nodes.push(made);
    return made;
  };
  const node = await startNode();
  const raw = await connectRaw(connectionString);
  let ada = people.signIn("ada");
  const defaults = { tool: "notes.write", args: '{"text":"a"}' };
  return {
    people,
    notes,
    node,
    raw,
    connectionString,
    get ada() {
      return ada;
    },
    enter() {
      ada = people.signIn(`ada-${crypto.randomUUID()}`, { locale: "ru", timeZone: "Europe/Moscow" });
      Object.assign(notes, { onRead: null, onPreview: null, onRun: null });
      notes.runs.length = 0;
      notes.seen.length = 0;
      return ada;
    },
    startNode,
    holdIt: async (tool = defaults.tool, args = defaults.args) =>
      (await hold(node, ada, toCall(tool, args))).confirmationId,
    click: (confirmationId, { signIn = ada, tool = defaults.tool, args = defaults.args, on = node } = {}) =>
      on.core.redeem(signIn.ref, { ...toCall(tool, args), confirmationId }),
    async rowOf(id) {
      const [row] = await raw.rows<Record<string, unknown>>("select * from confirmations where id = $1", [id]);
      return row;
    },
    auditOf: (id) =>
      raw.rows(
        "select id, step, code, duration_ms, kind from tool_calls where confirmation_id = $1 and step <> 'hold' order by at",
        [id],
      ),
    async close() {
      await raw.close();
      for (const started of nodes) await started.close();
      await db.drop();
    },
  };
}
