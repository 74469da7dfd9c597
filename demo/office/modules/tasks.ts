import type pg from "pg";
import { defineModule, readTool, writeTool, type Module } from "countersign";
import { z } from "zod";
import { formatDate } from "../money.ts";
import { findCustomer } from "./find-customer.ts";
import { findOpenTask, findTasks } from "./find-task.ts";
import { writeOnce } from "./write-once.ts";

/** Tasks: finding them, adding one, and ticking one off. */
export function tasksModule(pool: pg.Pool): Module {
  return defineModule({
    key: "tasks",
    title: "Tasks",
    sessionWrites: true,
    tools: [
      readTool({
        name: "tasks_find",
        title: "Find tasks",
        description: "Lists tasks, those due first at the top.",
        permission: "tasks.read",
        input: z.object({ status: z.enum(["open", "done"]).optional() }),
        async run(_ctx, { status }) {
          const found = await findTasks(pool, status);
          return {
            tasks: found.map(({ number, title, customer, dueOn, status: now }) => {
              return { number, title, customer, due: dueOn, status: now };
            }),
          };
        },
      }),
      writeTool({
        name: "task_create",
        title: "Add a task",
        description: "Adds a task to the office's list.",
        permission: "tasks.write",
        input: z.object({
          title: z.string().min(1).max(200),
          customer: z.string().min(1).max(100).optional().describe("The customer it is about, by name"),
          due: z.iso.date().optional().describe("The day it is due: 2026-03-09"),
        }),
        async preview(ctx, { title, customer: named, due }) {
          const customer = named === undefined ? null : await findCustomer(pool, named);
          if (customer !== null && "refusal" in customer) return customer;
          return {
            title: "Add a task",
            changes: [
              { label: "Task", before: null, after: title },
              ...(customer === null ? [] : [{ label: "Customer", before: null, after: customer.name }]),
              ...(due === undefined ? [] : [{ label: "Due", before: null, after: formatDate(due, ctx.locale) }]),
            ],
            data: { customerId: customer?.id ?? null },
          };
        },
        async run(ctx, { title, due }) {
          await writeOnce(pool, {
            ctx,
            tool: "tasks.task_create",
            work: async (on) => {
              const { rowCount } = await on.query(
                "insert into tasks (title, customer_id, due_on, created_by) values ($1, $2, $3, $4)",
                [title, ctx.preview.data?.customerId ?? null, due ?? null, ctx.session.displayName ?? ""],
              );
              return rowCount;
            },
          });
          return { added: title };
        },
      }),
      writeTool({
        name: "task_complete",
        title: "Tick a task off",
        description: "Marks an open task as done.",
        permission: "tasks.write",
        input: z.object({ task: z.string().min(1).max(200).describe("The task's number, or a part of its title") }),
        async preview(_ctx, { task: named }) {
          const found = await findOpenTask(pool, named);
          if ("refusal" in found) return found;
          return {
            title: `Tick off “${found.title}”`,
            changes: [{ label: "Status", before: "open", after: "done" }],
            data: { number: found.number, version: found.version },
          };
        },
        async run(ctx) {
          const seen = ctx.preview.data;
          await writeOnce(pool, {
            ctx,
            tool: "tasks.task_complete",
            work: async (on) => {
              const { rowCount } = await on.query(
                `update tasks set done_on = current_date, version = version + 1
                 where number = $1 and version = $2 and done_on is null`,
                [seen?.number, seen?.version],
              );
              return rowCount;
            },
          });
          return { done: seen?.number };
        },
      }),
    ],
  });
}
