import { useMemo, useSyncExternalStore } from "react";
import type { AssistantClient } from "../client/client.ts";
import { toLanguage } from "./language/language.ts";
import type { Language } from "./language/language.ts";
import { useAssistant } from "./panel-context.ts";

/** The language to speak: the given one, else the user's own as the session tells it, else the browser's. */
export function useLanguage(client: AssistantClient, locale: string | undefined): Language {
  const own = useAssistant(client, ({ me }) => me?.locale);
  // A server draws the page in no browser's language: the first drawing here is the same.
  const browsers = useSyncExternalStore(
    () => () => {},
    () => navigator.language,
    () => null,
  );
  return useMemo(() => toLanguage(locale, own, browsers), [locale, own, browsers]);
}
