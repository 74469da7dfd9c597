import { useEffect, useLayoutEffect, useRef } from "react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import type { FileView } from "../client/files.ts";
import type { Failure } from "../client/snapshot.ts";
import { AttachButtons, useFiles, usePaste, useTakesFiles } from "./attach.tsx";
import { WaitingFiles } from "./file-chips.tsx";
import { Icon, Spinner } from "./icons.tsx";
import type { Language } from "./language/language.ts";
import { OpenHolder } from "./open-holder.tsx";
import { usePanel, useSnapshot } from "./panel-context.ts";
import { sayFailure } from "./say.ts";
import { useLasting } from "./use-lasting.ts";

/** Characters left from which on they are counted. */
const countFrom = 500;

/** Milliseconds a message may be on its way before its text is offered back. */
const patience = 8_000;

/** Where a message is written, sent, and an answer stopped. */
export function Composer({ field }: { readonly field: RefObject<HTMLTextAreaElement | null> }): ReactNode {
  const { client, language } = usePanel();
  const { composer } = language;
  const draft = useSnapshot(({ chat }) => chat.draft.text);
  const sending = useSnapshot(({ chat }) => chat.sending);
  const isSlow = useLasting(sending === "sending", patience);
  const refusal = useSnapshot(({ chat }) => chat.refusal);
  const turnId = useSnapshot(({ chat }) => chat.turn?.turnId ?? null);
  const isStopping = useSnapshot(({ chat }) => chat.turn?.stopAsked === true || chat.turn?.activity === "stopping");
  const limit = useSnapshot(({ me }) => me?.limits.messageChars ?? Infinity);
  const left = limit - draft.length;
  const files = useFiles();
  const isTaking = useTakesFiles();
  const paste = usePaste();
  const ready = files.flatMap(({ id, state }) => (state === "ready" && id !== null ? [id] : []));
  const isFree = sending === "no" && turnId === null && ready.length === files.length;
  const canSend = isFree && left >= 0 && (draft.trim() !== "" || ready.length > 0);
  useGrowing(field, draft);

  const send = (): void => {
    if (canSend) void client.send(ready);
  };
  const stop = (): void => {
    // The button goes: without this the focus would fall to the page.
    field.current?.focus();
    void client.stop();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter that ends a composition (Chinese, Japanese …) chooses a word; it does not send.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className="cs-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {refusal !== null && <SendRefusal failure={refusal} />}
      {(sending === "retrying" || isSlow) && (
        <p className="cs-composer-note" role="status">
          <Spinner />
          <span>{sending === "retrying" ? composer.retrying : composer.slow}</span>
          <button type="button" className="cs-link" onClick={client.keepEditing}>
            {composer.keepEditing}
          </button>
        </p>
      )}
      <div className="cs-field" data-sending={sending !== "no"}>
        <WaitingFiles files={files} />
        <div className="cs-line">
          {isTaking && <AttachButtons isDisabled={sending !== "no"} />}
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            value={draft}
            readOnly={sending !== "no"}
            aria-label={composer.label}
            aria-busy={sending !== "no"}
            placeholder={composer.placeholder}
            onChange={(event) => client.setDraft(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={paste}
          />
          {/* Two buttons with keys of their own: as one, a click on Stop could become the click that sends. */}
          {turnId === null || sending !== "no" ? (
            <button
              key="send"
              type="submit"
              className="cs-send"
              disabled={!canSend}
              aria-label={sending === "no" ? composer.send : composer.sending}
              title={composer.send}
            >
              {sending === "no" ? <Icon name="send" /> : <Spinner />}
            </button>
          ) : (
            <button
              key="stop"
              type="button"
              className="cs-send cs-stop"
              disabled={isStopping}
              aria-label={composer.stop}
              title={composer.stop}
              onClick={stop}
            >
              <Icon name="stop" />
            </button>
          )}
        </div>
      </div>
      <p className="cs-hint" data-over={left < 0}>
        {toHint({ left, files }, language)}
      </p>
    </form>
  );
}

function SendRefusal({ failure }: { readonly failure: Failure }): ReactNode {
  const { language } = usePanel();
  return (
    <p className="cs-composer-note" data-tone="warning" role="alert">
      <Icon name="warning" />
      <span>{sayFailure(failure, language)}</span>
      <OpenHolder chatId={failure.conversationId} />
    </p>
  );
}

/** What stands below the field: why nothing can be sent, or what holds always. */
function toHint(
  { left, files }: { readonly left: number; readonly files: readonly FileView[] },
  { composer, files: words }: Language,
): string {
  if (left < countFrom) return composer.left(left);
  if (files.some(({ state }) => state === "failed")) return words.takeOut;
  return files.every(({ state }) => state === "ready") ? composer.hint : words.notReady;
}

/** Grows a text field with its text where the browser does not do so by itself. */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const isNative = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || isNative) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text, isNative]);
}

/** Puts the caret where it was left when the composer belongs to another chat now. */
export function useComposerFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  const key = useSnapshot(({ chat }) => chat.key);
  const first = useRef(key);
  useEffect(() => {
    if (first.current === key) return;
    first.current = key;
    // On a phone the keyboard would cover the chat that was just opened.
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [field, key]);
}
