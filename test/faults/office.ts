import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { defineModule, readTool, writeTool } from "../../src/core/define-tool.ts";
import type { Sessions } from "../../src/core/session.ts";
import type { Module } from "../../src/core/tool.ts";
import type { Reaper } from "./deaths.ts";
import type { HandlerLine, NodeSetup } from "./node-setup.ts";

/**
 * The host of the fault runs: its sign-ins, rights and records are rows that all its processes share, beside the
 * assistant's own. What a person is called is a secret: it may be in no log and no audit row.
 */
export interface Office {
  readonly modules: readonly Module[];
  readonly sessions: Sessions;
}

export const officeTables = `
  create schema office;
  create table office.sign_ins (
    ref text primary key, user_id text not null, live boolean not null default true,
    may_write boolean not null default true, impersonated boolean not null default false
  );
  create table office.records (user_id text primary key, name text not null);
`;

export const sessionHeader = "x-office-session";

interface SignInRow {
  readonly user_id: string;
  readonly live: boolean;
  readonly may_write: boolean;
  readonly impersonated: boolean;
}

/** How a new name makes its handler behave, by how it begins. */
export const behaviours = ["plain", "slow", "bad", "late", "hang"] as const;

export function createOffice(
  setup: Pick<NodeSetup, "connectionString" | "handlerFile" | "name">,
  reaper: Reaper,
): Office {
  const { connectionString, handlerFile, name: node } = setup;
  const pool = new pg.Pool({ connectionString, max: 3, application_name: "office" });
  // The server may be restarted under it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const nameOf = async (userId: string): Promise<string> => {
    const { rows } = await pool.query<{ name: string }>("select name from office.records where user_id = $1", [userId]);
    return rows[0]?.name ?? "";
  };

  const sessions: Sessions = {
    async load(ref) {
      const { rows } = await pool.query<SignInRow>(
        "select user_id, live, may_write, impersonated from office.sign_ins where ref = $1",
        [ref],
      );
      const row = rows[0];
      if (row === undefined || !row.live) return null;
      const can = (permission: string): boolean => permission !== "office.write" || row.may_write;
      return { ref, userId: row.user_id, can, impersonatedBy: row.impersonated ? "somebody" : undefined };
    },
    resolve: (request) => request.headers.get(sessionHeader),
  };

  const modules = [
    defineModule({
      key: "office",
      title: "Office",
      sessionWrites: true,
      tools: [
        readTool({
          name: "look",
          title: "Look at the name",
          description: "Reads the record's name.",
          permission: "office.read",
          input: z.object({}),
          run: async (ctx) => ({ name: await nameOf(ctx.session.userId) }),
        }),
        writeTool({
          name: "rename",
          title: "Rename the record",
          description: "Gives the record another name.",
          permission: "office.write",
          input: z.object({ name: z.string() }),
          preview: async (ctx, { name }) => ({
            title: `Rename to ${name}`,
            changes: [{ label: "Name", before: await nameOf(ctx.session.userId), after: name }],
          }),
          async run(ctx, { name }) {
            const { userId } = ctx.session;
            const line: HandlerLine = { confirmationId: ctx.idempotencyKey, name, userId, node };
            appendFileSync(handlerFile, `${JSON.stringify(line)}\n`);
            reaper.reach("in the handler");
            const behaviour = name.split("-")[0];
            if (behaviour === "slow") await pause(200);
            if (behaviour === "late") await pause(2_500);
            if (behaviour === "hang") await new Promise(() => undefined);
            if (behaviour === "bad") throw new Error(`the office is closed to ${name}`);
            await pool.query("update office.records set name = $2 where user_id = $1", [userId, name]);
            return { renamed: name };
          },
        }),
      ],
    }),
  ];
  return { modules, sessions };
}
