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

/** Chooses files; on a device that is held in the hand, with a second button that takes a picture. */
export function AttachButtons({ isDisabled }: { readonly isDisabled: boolean }): ReactNode {
  const { language } = usePanel();
  const accepted = useSnapshot(({ me }) => me?.limits.attachmentAccept);
  const pictures = accepted?.filter((type) => type.startsWith("image/")) ?? [];
  return (
    <>
      <Picker name="clip" label={language.files.attach} accept={accepted?.join() ?? ""} isDisabled={isDisabled} />
      {pictures.length > 0 && (
        <Picker name="camera" label={language.files.takePhoto} accept={pictures.join()} isDisabled={isDisabled} />
      )}
    </>
  );
}

function Picker({
  name,
  label,
  accept,
  isDisabled,
}: {
  readonly name: "clip" | "camera";
  readonly label: string;
  readonly accept: string;
  readonly isDisabled: boolean;
}): ReactNode {
  const { files } = usePanel();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className={`cs-tool cs-attach cs-${name}`}
        disabled={isDisabled}
        aria-label={label}
        title={label}
        onClick={() => input.current?.click()}
      >
        <Icon name={name} />
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        {...(name === "camera" ? { capture: "environment" } : { multiple: true })}
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
