import type pg from "pg";
import { refuse, type ToolRefusal } from "countersign";

export interface Customer {
  readonly id: number;
  readonly name: string;
  readonly contact: string;
  readonly email: string;
  readonly phone: string;
  readonly city: string;
  readonly creditLimitCents: number;
  readonly version: number;
}

const columns = `id, name, contact, email, phone, city, credit_limit_cents as "creditLimitCents", version`;

/** Customers whose name, contact, e-mail or city has the text; all without one. */
export async function findCustomers(pool: pg.Pool, query: string | undefined): Promise<readonly Customer[]> {
  const { rows } = await pool.query<Customer>(
    `select ${columns} from customers
     where $1::text is null or concat_ws(' ', name, contact, email, city) ilike '%' || $1 || '%'
     order by name limit 50`,
    [query === undefined ? null : escapePattern(query.trim())],
  );
  return rows;
}

/** The one customer that is meant: by the whole name, else by a part of it that only one has. */
export async function findCustomer(pool: pg.Pool, named: string): Promise<Customer | ToolRefusal> {
  const { rows } = await pool.query<Customer>(
    `select ${columns} from customers where name ilike '%' || $1 || '%' order by name ilike $1 desc, name`,
    [escapePattern(named.trim())],
  );
  const [first, second] = rows;
  if (first === undefined) return refuse("customer_not_found", `There is no customer “${named}”.`);
  const exact = first.name.toLowerCase() === named.trim().toLowerCase();
  if (second === undefined || exact) return first;
  const names = rows.slice(0, 5).map((row) => row.name);
  return refuse("customer_not_clear", `Several customers match “${named}”: ${names.join(", ")}.`);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
