import { useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import { Icon, Spinner } from "./icons.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { sayFailure } from "./say.ts";
import { useLasting } from "./use-lasting.ts";

/** Milliseconds a lost connection may last before it is worth a word. */
const patience = 1_500;

/** Tells that the connection is lost, above the thread and moving nothing in it. */
export function ConnectionBar(): ReactNode {
  const { language } = usePanel();
  const isLost = useSnapshot(({ connection }) => connection === "reconnecting");
  const isOnline = useOnline();
  const isTold = useLasting(isLost || !isOnline, patience);
  if (!isTold) return null;
  return (
    <p className="cs-connection" role="status">
      {isOnline ? <Spinner /> : <Icon name="offline" />}
      {isOnline ? language.panel.reconnecting : language.panel.offline}
    </p>
  );
}

/** Tells that a stand-in answers, not a language model. */
export function DemoBar(): ReactNode {
  const { language } = usePanel();
  const model = useSnapshot(({ me }) => me?.model ?? null);
  if (model?.demo !== true) return null;
  return (
    <p className="cs-demo">
      <Icon name="info" />
      {language.panel.demo(model.name)}
    </p>
  );
}

/** Why the assistant cannot be used at all; what was read stays above it. */
export function BlockedBar(): ReactNode {
  const { client, language } = usePanel();
  const blocked = useSnapshot((snapshot) => snapshot.blocked);
  if (blocked === null) return null;
  return (
    <div className="cs-blocked" role="alert">
      <Icon name="warning" />
      <p>{sayFailure(blocked, language)}</p>
      <button type="button" className="cs-button" onClick={client.retry}>
        {language.panel.retry}
      </button>
    </div>
  );
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener("online", listener);
      addEventListener("offline", listener);
      return () => {
        removeEventListener("online", listener);
        removeEventListener("offline", listener);
      };
    },
    () => navigator.onLine,
    () => true,
  );
}
