import { z } from "zod";
import { defineModule, readTool, writeTool } from "../../src/core/define-tool.ts";
import type { Module, ToolContext, WriteContext } from "../../src/core/tool.ts";

/** One run of a write's handler: what the side file of a host would hold. */
export interface Run {
  readonly confirmationId: string;
  readonly text: string;
}

/** A host's notes, one a user, with a read and a write; tests step in where a function is set. */
export interface Notes {
  readonly modules: readonly Module[];
  readonly runs: Run[];
  readonly seen: (ToolContext | WriteContext)[];
  noteOf(userId: string): string;
  put(userId: string, text: string): void;
  onRead: ((ctx: ToolContext) => unknown) | null;
  onPreview: ((ctx: ToolContext) => unknown) | null;
  onRun: ((ctx: WriteContext) => unknown) | null;
}

export function createNotes(): Notes {
  const texts = new Map<string, string>();
  const noteOf = (userId: string): string => texts.get(userId) ?? "empty";
  const common = { description: "Works on the note.", scope: "notes" };
  const notes: Notes = {
    runs: [],
    seen: [],
    noteOf,
    put: (userId, text) => void texts.set(userId, text),
    onRead: null,
    onPreview: null,
    onRun: null,
    modules: [
      defineModule({
        key: "notes",
        title: "Notes",
        sessionWrites: true,
        tools: [
          readTool({
            ...common,
            name: "look",
            permission: "notes.read",
            input: z.object({ page: z.number().optional() }),
            run(ctx) {
              notes.seen.push(ctx);
              return notes.onRead === null ? { text: noteOf(ctx.session.userId) } : notes.onRead(ctx);
            },
          }),
          writeTool({
            ...common,
            name: "write",
            title: "Write the note",
            permission: "notes.write",
            input: z.object({ text: z.string() }),
            async preview(ctx, { text }) {
              notes.seen.push(ctx);
              await notes.onPreview?.(ctx);
              const before = noteOf(ctx.session.userId);
              return { title: `Write ${text}`, changes: [{ label: "Note", before, after: text }], data: { before } };
            },
            async run(ctx, { text }) {
              notes.seen.push(ctx);
              notes.runs.push({ confirmationId: ctx.idempotencyKey, text });
              const answer = await notes.onRun?.(ctx);
              notes.put(ctx.session.userId, text);
              return answer ?? { written: text };
            },
          }),
        ],
      }),
    ],
  };
  return notes;
}
