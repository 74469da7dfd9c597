import { z } from "zod";
import { defineModule, readTool, writeTool } from "../src/core/define-tool.ts";
import { refuse } from "../src/core/refuse.ts";
import type { Session, Sessions } from "../src/core/session.ts";
import type { Module } from "../src/core/tool.ts";

/** A sign-in of the desk, changed by tests as people sign out, lose rights or are impersonated. */
export interface SignIn {
  readonly ref: string;
  readonly userId: string;
  readonly permissions: Set<string>;
  live: boolean;
  impersonatedBy: string | undefined;
}

/** One run of a write's handler: what the side file of a host would hold. */
export interface HandlerRun {
  readonly confirmationId: string;
  readonly name: string;
}

/**
 * A host for tests: people with rights, one record a user with a name, a read of it and a write that renames it. Names
 * that begin with `bad` make the handler fail; `gate` holds a handler until a test opens it.
 */
export interface Desk {
  readonly sessions: Sessions;
  readonly modules: readonly Module[];
  readonly runs: HandlerRun[];
  signIn(userId: string, permissions?: readonly string[]): SignIn;
  nameOf(userId: string): string;
  setName(userId: string, name: string): void;
  /** Whether the rename's dry run refuses, with a code of its own. */
  refusing: boolean;
  gate: ((run: HandlerRun, signal: AbortSignal) => Promise<void>) | null;
}

export const deskRights = ["assistant.use", "desk.read", "desk.write"] as const;

export function createDesk(): Desk {
  const signIns = new Map<string, SignIn>();
  const names = new Map<string, string>();
  const runs: HandlerRun[] = [];
  const nameOf = (userId: string): string => names.get(userId) ?? "Ada";
  const input = z.object({ name: z.string() });
  const desk: Desk = {
    runs,
    gate: null,
    refusing: false,
    nameOf,
    setName: (userId, name) => void names.set(userId, name),
    signIn(userId, permissions = deskRights) {
      const ref = `${userId}/${signIns.size + 1}`;
      const made: SignIn = { ref, userId, permissions: new Set(permissions), live: true, impersonatedBy: undefined };
      signIns.set(ref, made);
      return made;
    },
    sessions: {
      load: async (ref) => toSession(signIns.get(ref)),
      resolve: (request) => request.headers.get("x-desk-session"),
    },
    modules: [
      defineModule({
        key: "desk",
        title: "Desk",
        sessionWrites: true,
        tools: [
          readTool({
            name: "name_get",
            title: "Look at the name",
            description: "Reads the record's name.",
            permission: "desk.read",
            input: z.object({}),
            run: (ctx) => ({ name: nameOf(ctx.session.userId) }),
          }),
          writeTool({
            name: "rename",
            title: "Rename the record",
            description: "Gives the record another name.",
            permission: "desk.write",
            input,
            preview(ctx, { name }) {
              if (desk.refusing) return refuse("desk_closed", "The desk is closed today.");
              const changes = [{ label: "Name", before: nameOf(ctx.session.userId), after: name }];
              return { title: `Rename to ${name}`, changes };
            },
            async run(ctx, { name }) {
              const run = { confirmationId: ctx.idempotencyKey, name };
              runs.push(run);
              await desk.gate?.(run, ctx.signal);
              if (name.startsWith("bad")) throw new Error("the desk is closed");
              names.set(ctx.session.userId, name);
              return { renamed: true };
            },
          }),
        ],
      }),
    ],
  };
  return desk;
}

function toSession(signIn: SignIn | undefined): Session | null {
  if (signIn === undefined || !signIn.live) return null;
  const { ref, userId, permissions, impersonatedBy } = signIn;
  return { ref, userId, can: (permission) => permissions.has(permission), impersonatedBy };
}
