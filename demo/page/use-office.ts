import { useCallback, useEffect, useRef, useState } from "react";
import type { Customer } from "../office/modules/find-customer.ts";
import type { Invoice } from "../office/modules/find-invoice.ts";
import type { Task } from "../office/modules/find-task.ts";

export interface Me {
  readonly name: string;
  readonly job: string;
  readonly mayWrite: boolean;
  readonly mayManage: boolean;
  readonly actor: string | null;
  readonly mayActAs: readonly { readonly key: string; readonly name: string }[];
}

export interface OfficeData {
  readonly me: Me;
  readonly customers: readonly Customer[];
  readonly invoices: readonly Invoice[];
  readonly tasks: readonly Task[];
}

export interface Office {
  readonly data: OfficeData | null;
  /** The rows that changed just now: `invoices INV-1042`. */
  readonly changed: ReadonlySet<string>;
  readonly refresh: () => void;
}

const shownFor = 2_800;

/** The tables as they are now: read anew whenever somebody changes a row. */
export function useOffice(): Office {
  const [data, setData] = useState<OfficeData | null>(null);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef<OfficeData | null>(null);
  const fading = useRef<ReturnType<typeof setTimeout>>(undefined);

  const refresh = useCallback(() => {
    void readOffice().then((next) => {
      // Lost on its way: read again when the connection is back.
      if (next === null) return;
      const rows = latest.current === null ? [] : changedRows(latest.current, next);
      latest.current = next;
      setData(next);
      if (rows.length === 0) return;
      setChanged((before) => new Set([...before, ...rows]));
      clearTimeout(fading.current);
      fading.current = setTimeout(() => setChanged(new Set()), shownFor);
    });
  }, []);

  useEffect(() => {
    refresh();
    let live: EventSource | null = null;
    // A browser has few connections to one server: a tab that nobody sees keeps none.
    const follow = (): void => {
      live?.close();
      live = document.hidden ? null : new EventSource("/live");
      live?.addEventListener("message", refresh);
      // What changed while the connection was away is read when it is back.
      live?.addEventListener("open", refresh);
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      live?.close();
    };
  }, [refresh]);

  return { data, changed, refresh };
}

async function readOffice(): Promise<OfficeData | null> {
  const answer = await fetch("/data").catch(() => null);
  if (answer === null) return null;
  if (answer.status === 401) location.assign("/sign-in");
  return (await answer.json().catch(() => null)) as OfficeData | null;
}

function changedRows(before: OfficeData, after: OfficeData): readonly string[] {
  const versions = new Map(rowsOf(before));
  return rowsOf(after).flatMap(([key, version]) => (versions.get(key) === version ? [] : [key]));
}

function rowsOf({ customers, invoices, tasks }: OfficeData): readonly (readonly [string, number])[] {
  return [
    ...customers.map((row) => [`customers ${row.id}`, row.version] as const),
    ...invoices.map((row) => [`invoices ${row.number}`, row.version] as const),
    ...tasks.map((row) => [`tasks ${row.number}`, row.version] as const),
  ];
}
