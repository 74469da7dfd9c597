import type { ReactNode } from "react";
import type { Me } from "./use-office.ts";

export type TabName = "invoices" | "customers" | "tasks";

const tabs: readonly (readonly [TabName, string])[] = [
  ["invoices", "Invoices"],
  ["customers", "Customers"],
  ["tasks", "Tasks"],
];

export function OfficeBar(props: {
  readonly me: Me;
  readonly tab: TabName;
  readonly onTab: (tab: TabName) => void;
}): ReactNode {
  const { me, tab, onTab } = props;
  const first = me.name.split(" ")[0]?.toLowerCase() ?? "";
  const initials = me.name.replaceAll(/(\w)\w*\s*/g, "$1");
  return (
    <header className="bar">
      <a className="brand" href="/" aria-label="Larkspur">
        <img className="mark-image" src="/assets/icon.svg" alt="" width="26" height="26" />
        <span>Larkspur</span>
      </a>
      <nav className="tabs" aria-label="Tables">
        {tabs.map(([name, title]) => (
          <button key={name} type="button" aria-current={tab === name ? "page" : undefined} onClick={() => onTab(name)}>
            {title}
          </button>
        ))}
      </nav>
      <details className="menu">
        <summary aria-label={`${me.name}, menu`}>
          <span className={`face face-${first}`} aria-hidden="true">
            {initials}
          </span>
          <span className="name">{me.name}</span>
        </summary>
        <div className="menu-list">
          <span className="about">
            {me.job}
            {me.mayWrite ? "" : ", reads only"}
          </span>
          {me.mayActAs.map((person) => (
            <form key={person.key} method="post" action={`/act-as/${person.key}`}>
              <button type="submit">Act as {person.name}</button>
            </form>
          ))}
          {me.mayManage && <a href="/admin">The assistant's administration</a>}
          <a href="/embed">The embedded page</a>
          <form method="post" action="/sign-out">
            <button type="submit">Sign out</button>
          </form>
        </div>
      </details>
    </header>
  );
}
