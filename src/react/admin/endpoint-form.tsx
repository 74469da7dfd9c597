import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import type { AdminCredential, AdminEndpoint, AdminEndpoints } from "../../wire/admin.ts";
import { Icon, Spinner } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { mergeDraft, toChange, toCreate, toDraft } from "./endpoint-draft.ts";
import type { EndpointDraft, KeyChoice } from "./endpoint-draft.ts";
import { newerOf } from "./newer.ts";
import { FailureTold, Switch, Told } from "./parts.tsx";

const providers = ["openai", "anthropic", "google", "openai-compatible"] as const;

/** The dialog that makes an endpoint, or changes one. */
export function EndpointForm(props: {
  /** Null makes a new one. */
  readonly endpoint: AdminEndpoint | null;
  readonly canStoreKeys: boolean;
  readonly onList: (list: AdminEndpoints) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { endpoint, canStoreKeys, onList, onClose } = props;
  const { request, words, say } = useAdmin();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  /** As the form was read; a newer one takes its place when somebody else changed it. */
  const [read, setRead] = useState(endpoint);
  const [draft, setDraft] = useState<EndpointDraft>(() => toDraft(endpoint));
  const [keyChoice, setKeyChoice] = useState<KeyChoice>(endpoint === null ? "env" : "keep");
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isNewer, setNewer] = useState(false);
  const [isSaving, setSaving] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);

  const set = (change: Partial<EndpointDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setSaving(true);
    const credential: AdminCredential =
      keyChoice === "env" ? { env: key.trim() } : keyChoice === "value" ? { value: key.trim() } : keyChoice;
    const answer =
      read === null
        ? await request<AdminEndpoints>("POST", "/admin/endpoints", toCreate(draft, credential))
        : await request<AdminEndpoints>(
            "PATCH",
            `/admin/endpoints/${encodeURIComponent(read.name)}`,
            toChange(draft, read, credential),
          );
    setSaving(false);
    const list = newerOf(answer)?.form ?? null;
    if (answer.ok) {
      onList(answer.value);
      say(words.saved);
      onClose();
      return;
    }
    const newer = list?.endpoints.find(({ name }) => name === read?.name) ?? null;
    setNewer(newer !== null);
    setFailure(newer === null ? answer.failure : null);
    if (newer === null || list === null) return;
    setDraft(mergeDraft(draft, read, newer));
    setRead(newer);
    onList(list);
  };

  const field = (
    name: Exclude<keyof EndpointDraft, "images" | "tools" | "enabled" | "provider" | "reasoning">,
    label: string,
    more: {
      readonly hint?: string;
      readonly number?: boolean;
      readonly wide?: boolean;
      readonly required?: boolean;
      readonly pattern?: string;
    } = {},
  ): ReactNode => (
    <div className={more.wide === true ? "cs-label cs-wide" : "cs-label"}>
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        aria-describedby={more.hint === undefined ? undefined : `${id}-${name}-hint`}
        className="cs-input"
        type={more.number === true ? "number" : "text"}
        step={more.number === true ? "any" : undefined}
        min={more.number === true ? 0 : undefined}
        required={more.required}
        pattern={more.pattern}
        value={draft[name]}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => set({ [name]: target.value })}
      />
      {more.hint !== undefined && (
        <span className="cs-hint" id={`${id}-${name}-hint`}>
          {more.hint}
        </span>
      )}
    </div>
  );

  const title = endpoint === null ? words.endpoints.add : words.endpoints.editOf(endpoint.name);
  return (
    <dialog ref={dialog} className="cs-dialog" aria-label={title} onClose={onClose}>
      <form className="cs-stack" onSubmit={(event) => void save(event)}>
        <header>
          <h2>{title}</h2>
          <button type="button" className="cs-tool" aria-label={words.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {isNewer && <Told tone="warn">{words.endpoints.newer}</Told>}
        <div className="cs-fields">
          {endpoint === null &&
            field("name", words.endpoints.name, {
              hint: words.endpoints.nameHint,
              required: true,
              pattern: "[A-Za-z0-9_.\\-]{1,100}",
              wide: true,
            })}
          <label className="cs-label">
            <span>{words.endpoints.provider}</span>
            <select
              className="cs-input"
              value={draft.provider}
              onChange={({ target }) => set({ provider: target.value })}
            >
              {providers.map((provider) => (
                <option key={provider}>{provider}</option>
              ))}
            </select>
          </label>
          {field("model", words.endpoints.model, { required: true })}
          {field("baseURL", words.endpoints.address, {
            hint: words.endpoints.addressHint,
            required: draft.provider === "openai-compatible",
            wide: true,
          })}
          <KeyFields
            choice={keyChoice}
            value={key}
            mayKeep={endpoint !== null}
            canStore={canStoreKeys}
            onChoice={setKeyChoice}
            onValue={setKey}
          />
          {field("input", words.endpoints.input, { number: true, hint: words.endpoints.priceHint })}
          {field("output", words.endpoints.output, { number: true })}
          {field("cachedInput", words.endpoints.cached, { number: true })}
          {field("contextTokens", words.endpoints.context, { number: true })}
          {field("maxOutputTokens", words.endpoints.maxOutput, { number: true })}
          {field("temperature", words.endpoints.temperature, { number: true })}
          <label className="cs-label">
            <span>{words.endpoints.reasoning}</span>
            <select
              className="cs-input"
              value={draft.reasoning}
              onChange={({ target }) => set({ reasoning: target.value })}
            >
              {Object.entries(words.endpoints.reasonings).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          <div className="cs-wide cs-row">
            <Switch label={words.endpoints.usesTools} checked={draft.tools} onChange={(tools) => set({ tools })} />
            <Switch label={words.endpoints.seesImages} checked={draft.images} onChange={(images) => set({ images })} />
            <Switch label={words.endpoints.enabled} checked={draft.enabled} onChange={(enabled) => set({ enabled })} />
          </div>
        </div>
        <FailureTold failure={failure} />
        <footer>
          <button type="button" className="cs-button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="submit" className="cs-button cs-primary" disabled={isSaving}>
            {isSaving && <Spinner />}
            {isSaving ? words.saving : words.save}
          </button>
        </footer>
      </form>
    </dialog>
  );
}

function KeyFields(props: {
  readonly choice: KeyChoice;
  readonly value: string;
  readonly mayKeep: boolean;
  readonly canStore: boolean;
  readonly onChoice: (choice: KeyChoice) => void;
  readonly onValue: (value: string) => void;
}): ReactNode {
  const { words } = useAdmin();
  const { choice, value, mayKeep, canStore, onChoice, onValue } = props;
  const id = useId();
  const choices: readonly (readonly [KeyChoice, string])[] = [
    ...(mayKeep ? [["keep", words.endpoints.keyKeep] as const] : []),
    ["env", words.endpoints.keyFromEnv],
    ...(canStore ? [["value", words.endpoints.keyHere] as const] : []),
    ["none", words.endpoints.keyNone],
  ];
  const isTyped = choice === "env" || choice === "value";
  return (
    <>
      <div className="cs-label">
        <label htmlFor={`${id}-how`}>{words.endpoints.keyHow}</label>
        <select
          id={`${id}-how`}
          aria-describedby={canStore ? undefined : `${id}-no`}
          className="cs-input"
          value={choice}
          onChange={({ target }) => {
            onValue("");
            onChoice(choices.find(([name]) => name === target.value)?.[0] ?? "none");
          }}
        >
          {choices.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
        {!canStore && (
          <span className="cs-hint" id={`${id}-no`}>
            {words.endpoints.keyNoSecret}
          </span>
        )}
      </div>
      {isTyped ? (
        <div className="cs-label">
          <label htmlFor={`${id}-key`}>{choice === "env" ? words.endpoints.envName : words.endpoints.keyValue}</label>
          <input
            id={`${id}-key`}
            aria-describedby={choice === "value" ? `${id}-key-hint` : undefined}
            className="cs-input"
            type={choice === "value" ? "password" : "text"}
            value={value}
            required
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onValue(target.value)}
          />
          {choice === "value" && (
            <span className="cs-hint" id={`${id}-key-hint`}>
              {words.endpoints.keyHint}
            </span>
          )}
        </div>
      ) : (
        <span />
      )}
    </>
  );
}
