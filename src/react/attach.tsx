import { useRef, useState, useSyncExternalStore } from "react";
import type { ClipboardEvent, DragEvent, ReactNode } from "react";
import type { FileView } from "../client/files.ts";
import { Icon } from "./icons.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";

/** The files that wait in the open chat. */
export function useFiles(): readonly FileView[] {
  const { files } = usePanel();
  const key = useSnapshot(({ chat }) => chat.key);
  return useSyncExternalStore(
    files.subscribe,
    () => files.of(key),
    () => files.of(""),
  );
}

/** Whether this assistant takes files at all. */
export function useTakesFiles(): boolean {
  return useSnapshot(({ me }) => (me?.limits.attachmentsPerMessage ?? 0) > 0);
}

export function AttachButton({ isDisabled }: { readonly isDisabled: boolean }): ReactNode {
  const { files, language } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="cs-tool cs-attach"
        disabled={isDisabled}
        aria-label={language.files.attach}
        title={language.files.attach}
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          files.add(Array.from(event.target.files ?? []));
          // The same file chosen once more is a change again.
          event.target.value = "";
        }}
      />
    </>
  );
}

/** Takes files that are pasted into the composer; text is pasted as ever. */
export function usePaste(): (event: ClipboardEvent) => void {
  const { files } = usePanel();
  const isTaking = useTakesFiles();
  return (event) => {
    const pasted = Array.from(event.clipboardData.files);
    if (!isTaking || pasted.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    files.add(pasted);
  };
}

/** Takes files that are dropped anywhere on the chat. */
export function DropZone({ children }: { readonly children: ReactNode }): ReactNode {
  const { files, language } = usePanel();
  const isTaking = useTakesFiles();
  // Entering a child comes before leaving its parent: only as many leaves as enters are an end.
  const depth = useRef(0);
  const [isOver, setOver] = useState(false);
  const isFiles = (event: DragEvent): boolean => isTaking && event.dataTransfer.types.includes("Files");
  const move = (event: DragEvent, step: number): void => {
    if (!isFiles(event)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  };
  return (
    // For the mouse alone: the button beside the message does the same by keyboard.
    <div
      className="cs-main"
      role="presentation"
      onDragEnter={(event) => move(event, 1)}
      onDragOver={(event) => move(event, 0)}
      onDragLeave={(event) => move(event, -1)}
      onDrop={(event) => {
        if (isFiles(event)) files.add(Array.from(event.dataTransfer.files));
        move(event, -depth.current);
      }}
    >
      {children}
      {isOver && (
        <p className="cs-drop">
          <Icon name="clip" />
          {language.files.drop}
        </p>
      )}
    </div>
  );
}
