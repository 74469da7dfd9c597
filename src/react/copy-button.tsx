import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";
import { usePanel } from "./panel-context.ts";

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  readonly isWordy?: boolean;
}

/** Copies a text; absent where the browser has no clipboard for this page. */
export function CopyButton({ text, label, isWordy = false }: CopyButtonProps): ReactNode {
  const { language, say } = usePanel();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 2000);
    return () => clearTimeout(timer);
  }, [isDone]);
  if (!canCopy()) return null;
  const name = isDone ? language.panel.copied : label;
  return (
    <button
      type="button"
      className={isWordy ? "cs-small" : "cs-tool"}
      aria-label={label}
      title={name}
      onClick={() =>
        void copyText(text()).then((isCopied) => {
          setDone(isCopied);
          if (isCopied) say(language.panel.copied);
        })
      }
    >
      <Icon name={isDone ? "check" : "copy"} />
      {isWordy && name}
    </button>
  );
}

export function canCopy(): boolean {
  return typeof navigator !== "undefined" && "clipboard" in navigator;
}

/** Answers whether it was copied; a browser may say no. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
