import { useEffect, useMemo } from "react";
import { createClient } from "../client/client.ts";
import type { AssistantClient } from "../client/client.ts";

/** A client for a part of the page that draws the assistant by itself: connected as long as that part is there. Read it with `useAssistant`. */
export function useAssistantClient(baseUrl: string): AssistantClient {
  const client = useMemo(() => createClient({ baseUrl }), [baseUrl]);
  useEffect(() => client.connect(), [client]);
  return client;
}
