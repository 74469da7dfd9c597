import { z } from "zod";
import { defineModule, readTool, writeTool } from "../core/define-tool.ts";
import type { ToolContext } from "../core/tool.ts";
import type { Module } from "../core/tool.ts";

/** What a test makes the bills' tools do, and what they did. */
export interface Bills {
  readonly module: Module;
  /** Every read that ran, by its argument. */
  readonly reads: string[];
  /** Every write handler that ran. */
  readonly writes: string[];
  /** Answers a read; default: its argument. */
  find: (id: string, ctx: ToolContext) => unknown;
  /** Awaited in a dry run. */
  beforePreview: () => unknown;
}

/** A small module of a host: `bills.find` reads, `bills.pay` and `bills.drop` write. */
export function createBills(): Bills {
  const input = z.object({ id: z.string() });
  const reads: string[] = [];
  const writes: string[] = [];
  const write = (name: string) =>
    writeTool({
      name,
      title: `${name} a bill`,
      description: `Asks to ${name} a bill.`,
      permission: "bills.write",
      input,
      async preview(_ctx, { id }) {
        await bills.beforePreview();
        return { title: `${name} ${id}`, changes: [{ label: "Status", before: "open", after: name }] };
      },
      run(_ctx, { id }) {
        writes.push(`${name} ${id}`);
        return { done: id };
      },
    });
  const bills: Bills = {
    reads,
    writes,
    find: (id) => ({ id }),
    beforePreview: () => undefined,
    module: defineModule({
      key: "bills",
      title: "Bills",
      sessionWrites: true,
      tools: [
        readTool({
          name: "find",
          title: "Find a bill",
          description: "Finds a bill.",
          permission: "bills.read",
          input,
          run(ctx, { id }) {
            reads.push(id);
            return bills.find(id, ctx);
          },
        }),
        write("pay"),
        write("drop"),
      ],
    }),
  };
  return bills;
}
