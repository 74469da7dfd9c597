import type pg from "pg";
import { refuse, type ToolRefusal } from "countersign";

export interface Invoice {
  readonly number: string;
  readonly customer: string;
  readonly email: string;
  readonly subject: string;
  readonly amountCents: number;
  readonly issuedOn: string;
  readonly dueOn: string;
  /** `overdue` is an open invoice past its day. */
  readonly status: "open" | "overdue" | "paid" | "void";
  readonly paidOn: string | null;
  readonly reminders: number;
  readonly version: number;
}

const select = `
  select * from (
    select number, customers.name as customer, customers.email, subject, amount_cents as "amountCents",
           issued_on as "issuedOn", due_on as "dueOn", paid_on as "paidOn", reminders, invoices.version,
           case when status = 'open' and due_on < current_date then 'overdue' else status end as status
    from invoices join customers on customers.id = customer_id
  ) as read`;

/** Invoices, newest first, by a part of the customer's name or the number. `open` has the overdue ones with it. */
export async function findInvoices(
  pool: pg.Pool,
  where: { readonly customer?: string | undefined; readonly status?: Invoice["status"] | undefined } = {},
): Promise<readonly Invoice[]> {
  const { rows } = await pool.query<Invoice>(
    `${select}
     where ($1::text is null or customer ilike '%' || $1 || '%' or number ilike $1)
       and ($2::text is null or status = $2 or ($2 = 'open' and status = 'overdue'))
     order by number desc limit 100`,
    [where.customer?.trim().replaceAll(/[\\%_]/g, "\\$&") ?? null, where.status ?? null],
  );
  return rows;
}

/** The invoice of a number (INV-1043, or 1043), if it is still open. */
export async function findOpenInvoice(pool: pg.Pool, named: string): Promise<Invoice | ToolRefusal> {
  const number = named
    .trim()
    .toUpperCase()
    .replace(/^(INV[- ]?)?(?=\d)/, "INV-");
  const { rows } = await pool.query<Invoice>(`${select} where number = $1`, [number]);
  const invoice = rows[0];
  if (invoice === undefined) return refuse("invoice_not_found", `There is no invoice ${number}.`);
  if (invoice.status === "paid") return refuse("invoice_paid", `Invoice ${number} is paid already.`);
  if (invoice.status === "void") return refuse("invoice_void", `Invoice ${number} is void.`);
  return invoice;
}
