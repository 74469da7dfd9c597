import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Icon, Spinner } from "./icons.tsx";
import { MyLimits } from "./my-limits.tsx";
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
  const field = useRef<HTMLTextAreaElement>(null);
  const isLoaded = value !== null;
  useEffect(() => {
    dialog.current?.showModal();
    void client.loadSettings();
  }, [client]);
  useEffect(() => {
    // On a phone the keyboard would cover the dialog.
    if (isLoaded && matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [isLoaded]);

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
            ref={field}
            className="cs-input"
            rows={6}
            dir="auto"
            maxLength={longestInstructions}
            placeholder={words.placeholder}
            value={text ?? value?.instructions ?? ""}
            disabled={!isLoaded}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <MyLimits />
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
          <button type="submit" className="cs-button cs-primary" disabled={isSaving || !isLoaded}>
            {isSaving && <Spinner />}
            {isSaving ? words.saving : words.save}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
