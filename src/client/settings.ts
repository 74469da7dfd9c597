import type { OwnSettings } from "../wire/api.ts";
import { setState } from "./context.ts";
import type { Context } from "./context.ts";
import type { SettingsView } from "./snapshot.ts";

/** Reads what the user set for their own assistant, or sets it. */
export async function askSettings(context: Context, value?: OwnSettings): Promise<void> {
  const set = (change: Partial<SettingsView>): void =>
    setState(context, { settings: { ...context.store.get().settings, failure: null, ...change } });
  set({ status: value ? "saving" : "loading" });
  const answer = await context.request<OwnSettings>(value ? "PATCH" : "GET", "/settings", value);
  if (answer.ok) set({ status: value ? "saved" : "ready", value: answer.value });
  else set({ status: "failed", failure: answer.failure });
}
