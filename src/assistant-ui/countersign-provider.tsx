import { useMemo } from "react";
import type { ReactNode } from "react";
import { AssistantRuntimeProvider, AuiConfig as toConfig, Tools as toTools } from "@assistant-ui/react";
import type { AssistantClient } from "../client/client.ts";
import { toCountersignToolkit } from "./toolkit.tsx";
import { useCountersignRuntime } from "./use-countersign-runtime.ts";

export interface CountersignProviderProps {
  /** The same object for as long as it is shown. */
  readonly client: AssistantClient;
  /** A BCP 47 tag. Default: the user's own, as the session tells it, else the browser's. */
  readonly locale?: string;
  /** The thread and the thread list of the host, made of assistant-ui's parts. */
  readonly children: ReactNode;
}

/** assistant-ui's provider with the runtime of a client and the renderers of its cards. */
export function CountersignProvider({ client, locale, children }: CountersignProviderProps): ReactNode {
  const runtime = useCountersignRuntime(client, { locale });
  const config = useMemo(() => {
    const toolkit = toCountersignToolkit(client, { ...(locale !== undefined && { locale }) });
    return toConfig({ tools: toTools({ toolkit }) });
  }, [client, locale]);
  return (
    <AssistantRuntimeProvider runtime={runtime} config={config}>
      {children}
    </AssistantRuntimeProvider>
  );
}
