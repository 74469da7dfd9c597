import type { ReactNode } from "react";
import type { Invoice } from "../office/modules/find-invoice.ts";
import { formatDate, formatMoney } from "../office/money.ts";
import { AmountCell } from "./amount-cell.tsx";
import type { OfficeData } from "./use-office.ts";

export interface TableProps {
  readonly data: OfficeData;
  readonly changed: ReadonlySet<string>;
  readonly onProblem: (problem: string | null) => void;
}

export function CustomersTable({ data, changed }: TableProps): ReactNode {
  return (
    <Sheet label="Customers" columns={customerColumns}>
      {data.customers.map((customer) => {
        const owed = sum(data.invoices.filter((invoice) => invoice.customer === customer.name && isOwed(invoice)));
        return (
          <tr key={customer.id} className={rowClass(changed.has(`customers ${customer.id}`))}>
            <td>
              {customer.name}
              <span className="sub">{customer.contact}</span>
            </td>
            <td className="roomy">
              {customer.email}
              <span className="sub">{customer.phone}</span>
            </td>
            <td className="roomy">{customer.city}</td>
            <td className="number">{owed === 0 ? "–" : formatMoney(owed)}</td>
            <td className="number">{formatMoney(customer.creditLimitCents)}</td>
          </tr>
        );
      })}
    </Sheet>
  );
}

export function InvoicesTable({ data, changed, onProblem }: TableProps): ReactNode {
  const owed = data.invoices.filter(isOwed);
  const late = owed.filter((invoice) => invoice.status === "overdue");
  const paid = data.invoices.filter((invoice) => invoice.status === "paid");
  return (
    <>
      <dl className="figures">
        <Figure name="Owed to us" cents={sum(owed)} />
        <Figure name="Overdue" cents={sum(late)} late />
        <Figure name="Paid" cents={sum(paid)} />
      </dl>
      <Sheet label="Invoices" columns={invoiceColumns}>
        {data.invoices.map((invoice) => (
          <tr
            key={invoice.number}
            data-row={invoice.number}
            className={rowClass(changed.has(`invoices ${invoice.number}`), !isOwed(invoice))}
          >
            <td className="code roomy">{invoice.number}</td>
            <td>
              {invoice.customer}
              <span className="sub roomy">{invoice.subject}</span>
              <span className="sub narrow">{invoice.number}</span>
              <span className="sub narrow">due {formatDate(invoice.dueOn)}</span>
            </td>
            <td className="number">
              <AmountCell invoice={invoice} editable={data.me.mayWrite && isOwed(invoice)} onProblem={onProblem} />
            </td>
            <td className={invoice.status === "overdue" ? "roomy late-date" : "roomy"}>{formatDate(invoice.dueOn)}</td>
            <td>
              <span className={`pill ${invoice.status}`}>{invoice.status}</span>
            </td>
          </tr>
        ))}
      </Sheet>
      {data.me.mayWrite && <p className="hint">An open amount can be changed here: click it, type, press Enter.</p>}
    </>
  );
}

export function TasksTable({ data, changed }: TableProps): ReactNode {
  return (
    <Sheet label="Tasks" columns={taskColumns}>
      {data.tasks.map((task) => (
        <tr key={task.number} className={rowClass(changed.has(`tasks ${task.number}`), task.status === "done")}>
          <td className="code roomy">#{task.number}</td>
          <td className="wide">
            {task.title}
            <span className="sub">{task.customer ?? `added by ${task.createdBy}`}</span>
          </td>
          <td className={task.late ? "late-date" : undefined}>{formatDate(task.dueOn)}</td>
          <td>
            <span className={`pill ${task.late ? "late" : task.status}`}>{task.late ? "late" : task.status}</span>
          </td>
        </tr>
      ))}
    </Sheet>
  );
}

interface Column {
  readonly title: string;
  /** `number` stands at the end of its cell; `roomy` is left out where there is little room. */
  readonly kind?: "number" | "roomy";
}

const customerColumns: readonly Column[] = [
  { title: "Customer" },
  { title: "E-mail and phone", kind: "roomy" },
  { title: "City", kind: "roomy" },
  { title: "Owes", kind: "number" },
  { title: "Credit limit", kind: "number" },
];
const invoiceColumns: readonly Column[] = [
  { title: "Number", kind: "roomy" },
  { title: "Customer" },
  { title: "Amount", kind: "number" },
  { title: "Due", kind: "roomy" },
  { title: "Status" },
];
const taskColumns: readonly Column[] = [
  { title: "No.", kind: "roomy" },
  { title: "Task" },
  { title: "Due" },
  { title: "Status" },
];

function Sheet(props: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
}): ReactNode {
  return (
    // It scrolls sideways where there is little room: it must be reached by keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="sheet" role="region" aria-label={props.label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {props.columns.map(({ title, kind }) => (
              <th key={title} scope="col" className={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

function Figure(props: { readonly name: string; readonly cents: number; readonly late?: boolean }): ReactNode {
  return (
    <div className={props.late === true && props.cents > 0 ? "figure late" : "figure"}>
      <dt>{props.name}</dt>
      <dd>{formatMoney(props.cents)}</dd>
    </div>
  );
}

function isOwed(invoice: Invoice): boolean {
  return invoice.status === "open" || invoice.status === "overdue";
}

function sum(invoices: readonly Invoice[]): number {
  return invoices.reduce((total, invoice) => total + invoice.amountCents, 0);
}

function rowClass(changed: boolean, settled = false): string | undefined {
  return [changed && "changed", settled && "settled"].filter(Boolean).join(" ") || undefined;
}
