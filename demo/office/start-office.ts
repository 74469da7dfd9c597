// Starts the host application in two steps: what the assistant needs of it, and what it needs of the assistant.
import type { Module, Sessions } from "countersign";
import { createOfficeDatabase } from "./database.ts";
import { createLive } from "./live.ts";
import { billingModule } from "./modules/billing.ts";
import { crmModule } from "./modules/crm.ts";
import { tasksModule } from "./modules/tasks.ts";
import { createOffice, type OfficeOptions } from "./office.ts";
import { createSignIns } from "./sign-in.ts";

export interface StartedOffice {
  readonly modules: readonly Module[];
  readonly sessions: Sessions;
  /** Answers once the office is ready to be served. */
  open(
    options: Pick<OfficeOptions, "assistant" | "assets">,
  ): Promise<(request: Request) => Response | Promise<Response>>;
  close(): Promise<void>;
}

export function startOffice(site: { readonly connectionString: string; readonly port: number }): StartedOffice {
  const database = createOfficeDatabase(site.connectionString);
  const preparing = createSignIns(database, site);
  const listening = preparing.then(() => createLive(site.connectionString));
  // Told where it is awaited.
  listening.catch(() => {});
  return {
    modules: [crmModule(database.pool), billingModule(database.pool), tasksModule(database.pool)],
    sessions: {
      load: async (ref) => (await preparing).load(ref),
      resolve: async (request) => (await preparing).resolve(request),
    },
    async open({ assistant, assets }) {
      const [signIns, live] = await Promise.all([preparing, listening]);
      return createOffice({ database, signIns, live, assistant, assets }).fetch;
    },
    async close() {
      await listening.then((live) => live.close()).catch(() => {});
      await database.close();
    },
  };
}
