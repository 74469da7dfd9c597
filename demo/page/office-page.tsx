import { useState, type ReactNode } from "react";
import { AssistantPanel } from "countersign/react";
import { OfficeBar, type TabName } from "./office-bar.tsx";
import { CustomersTable, InvoicesTable, TasksTable } from "./tables.tsx";
import { useOffice } from "./use-office.ts";

const sheets = {
  invoices: { title: "Invoices", about: "What was sent, what is owed, what came in.", Table: InvoicesTable },
  customers: { title: "Customers", about: "Who buys from us, and how to reach them.", Table: CustomersTable },
  tasks: { title: "Tasks", about: "What the office still has to do.", Table: TasksTable },
} as const;

const questions = ["Which invoices are overdue?", "Open tasks"];
const wishes = ["Mark invoice INV-1042 as paid", "Set the credit limit of Northwind to 30,000"];

/** The office: its tables, and the assistant beside them. */
export function OfficePage(): ReactNode {
  const { data, changed, refresh } = useOffice();
  const [tab, setTab] = useState<TabName>("invoices");
  const [shows, setShows] = useState<"desk" | "assistant">("desk");
  const [problem, setProblem] = useState<string | null>(null);
  if (data === null) return <div className="loading">Opening the office…</div>;

  const { title, about, Table } = sheets[tab];
  const { me } = data;
  return (
    <div className="office" data-shows={shows}>
      <OfficeBar
        me={me}
        tab={tab}
        onTab={(next) => {
          setTab(next);
          setShows("desk");
        }}
      />
      {me.actor !== null && (
        <form className="acting" method="post" action="/act-as/stop">
          <span>
            {me.actor}, you act as {me.name}. The assistant is off meanwhile.
          </span>
          <button type="submit">Stop</button>
        </form>
      )}
      <main className="desk">
        <div className="desk-head">
          <h1>{title}</h1>
          <p>{about}</p>
        </div>
        {problem !== null && (
          <p className="toast" role="alert">
            {problem}
          </p>
        )}
        <Table data={data} changed={changed} onProblem={setProblem} />
      </main>
      <aside className="side" aria-label="Assistant">
        <AssistantPanel
          baseUrl="/assistant"
          suggestions={me.mayWrite ? [...questions, ...wishes] : questions}
          onConfirmed={refresh}
        />
      </aside>
      <nav className="switch" aria-label="What is shown">
        <button type="button" aria-pressed={shows === "desk"} onClick={() => setShows("desk")}>
          Office
        </button>
        <button type="button" aria-pressed={shows === "assistant"} onClick={() => setShows("assistant")}>
          Assistant
        </button>
      </nav>
    </div>
  );
}
