import type pg from "pg";
import { refuse, type ToolRefusal } from "countersign";

export interface Task {
  readonly number: number;
  readonly title: string;
  readonly customer: string | null;
  readonly dueOn: string | null;
  readonly doneOn: string | null;
  readonly createdBy: string;
  readonly status: "open" | "done";
  readonly late: boolean;
  readonly version: number;
}

const select = `
  select number, title, customers.name as customer, due_on as "dueOn", done_on as "doneOn", created_by as "createdBy",
         case when done_on is null then 'open' else 'done' end as status, tasks.version,
         done_on is null and due_on is not null and due_on < current_date as late
  from tasks left join customers on customers.id = customer_id`;

/** Tasks: open ones first, those due soonest at the top. */
export async function findTasks(pool: pg.Pool, status?: Task["status"]): Promise<readonly Task[]> {
  const { rows } = await pool.query<Task>(
    `${select} where $1::text is null or (done_on is null) = ($1 = 'open')
     order by done_on is not null, due_on nulls last, number limit 100`,
    [status ?? null],
  );
  return rows;
}

/** The one open task that is meant: by its number, else by a part of its title that only one has. */
export async function findOpenTask(pool: pg.Pool, named: string): Promise<Task | ToolRefusal> {
  const text = named.trim();
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  const { rows } = await pool.query<Task>(
    `${select} where number = $1 or ($1 is null and title ilike '%' || $2 || '%')
     order by title ilike $2 desc, number`,
    [number === undefined ? null : Number(number), text.replaceAll(/[\\%_]/g, "\\$&")],
  );
  const open = rows.filter((task) => task.status === "open");
  const [first, second] = open;
  if (first === undefined) {
    return rows.length > 0
      ? refuse("task_done", `“${rows[0]?.title}” is done already.`)
      : refuse("task_not_found", `There is no task “${named}”.`);
  }
  if (second === undefined || first.title.toLowerCase() === text.toLowerCase()) return first;
  return refuse(
    "task_not_clear",
    `Several tasks match “${named}”: ${open
      .slice(0, 4)
      .map((task) => `#${task.number} ${task.title}`)
      .join("; ")}.`,
  );
}
