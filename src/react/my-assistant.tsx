import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Icon, Spinner } from "./icons.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { sayFailure } from "./say.ts";

const longestInstructions = 4_000;

/** The dialog in which a user tells the assistant what to know about them. */
export function MyAssistant({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { client, language } = usePanel();
  const words = language.settings;
  const { status, failure, value } = useSnapshot(({ settings }) => settings);
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState<string | null>(null);
  const isSaving = status === "saving";
  useEffect(() => {
    dialog.current?.showModal();
    void client.loadSettings();
  }, [client]);

  const save = async (): Promise<void> => {
    if (text !== null) await client.saveSettings({ instructions: text });
    if (client.getSnapshot().settings.status !== "failed") onClose();
  };
  return (
    <dialog ref={dialog} className="cs-dialog" aria-label={words.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <header>
          <h3>{words.title}</h3>
          <button type="button" className="cs-tool" aria-label={language.panel.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <p className="cs-quiet">{words.about}</p>
        <label>
          <span>{words.label}</span>
          <textarea
            className="cs-input"
            rows={7}
            dir="auto"
            maxLength={longestInstructions}
            placeholder={words.placeholder}
            value={text ?? value?.instructions ?? ""}
            disabled={value === null}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        {failure !== null && (
          <p className="cs-refusal" role="alert">
            <Icon name="warning" />
            <span>{sayFailure(failure, language)}</span>
          </p>
        )}
        <footer>
          <button type="button" className="cs-button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="cs-button cs-primary" disabled={isSaving || value === null}>
            {isSaving && <Spinner />}
            {isSaving ? words.saving : words.save}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
