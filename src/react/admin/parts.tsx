import type { ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import { Icon } from "../icons.tsx";
import type { IconName } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { toHash } from "./section-hash.ts";
import type { Loaded } from "./use-load.ts";
import { sayFailure } from "./words/words.ts";

export type Tone = "good" | "bad" | "warn" | "accent" | "quiet";

/** A section's heading with what it is about, and what can be done with all of it. */
export function SectionHead(props: {
  readonly title: string;
  readonly about: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <header className="cs-admin-head">
      <div>
        <h1 tabIndex={-1}>{props.title}</h1>
        <p>{props.about}</p>
      </div>
      {props.children !== undefined && <div>{props.children}</div>}
    </header>
  );
}

/** Something the page tells: good news quietly, a failure aloud. */
export function Told(props: {
  readonly tone?: "accent" | "warn" | "bad";
  readonly icon?: IconName;
  readonly children: ReactNode;
}): ReactNode {
  const { tone = "accent", icon = tone === "accent" ? "info" : "warning" } = props;
  return (
    <div className="cs-told" data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={icon} />
      {typeof props.children === "string" ? <p>{props.children}</p> : props.children}
    </div>
  );
}

export function FailureTold({ failure }: { readonly failure: Failure | null }): ReactNode {
  const { words } = useAdmin();
  return failure === null ? null : <Told tone="bad">{sayFailure(failure, words)}</Told>;
}

/** What was read, or that it is being read, or why it could not be. */
export function Ready<Value>(props: {
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ReactNode;
}): ReactNode {
  const { words } = useAdmin();
  const { value, failure, isLoading, reload } = props.loaded;
  return (
    <div className="cs-stack" aria-busy={isLoading}>
      {failure !== null && <Retry failure={failure} onRetry={reload} />}
      {value !== null && props.children(value)}
      {value === null && failure === null && (
        <div className="cs-wait" role="status">
          <span className="cs-hidden">{words.loading}</span>
        </div>
      )}
    </div>
  );
}

/** A failure with the button that tries again. */
export function Retry(props: { readonly failure: Failure; readonly onRetry: () => Promise<void> }): ReactNode {
  const { words } = useAdmin();
  return (
    <Told tone="bad">
      <p>{sayFailure(props.failure, words)}</p>
      <button type="button" className="cs-button" onClick={() => void props.onRetry()}>
        {words.again}
      </button>
    </Told>
  );
}

export function Nothing(props: { readonly icon: IconName; readonly children: ReactNode }): ReactNode {
  return (
    <div className="cs-box cs-nothing">
      <Icon name={props.icon} />
      <p>{props.children}</p>
    </div>
  );
}

export function Pill(props: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className="cs-pill" data-tone={props.tone ?? "quiet"}>
      {props.children}
    </span>
  );
}

/** A user, leading to what is set for them. */
export function UserLink({ userId }: { readonly userId: string }): ReactNode {
  const { words, nameOf } = useAdmin();
  if (userId === "") return <i>{words.forgotten}</i>;
  return (
    <a href={toHash("limits", userId)} title={userId}>
      {nameOf(userId) ?? userId}
    </a>
  );
}

/** A switch with its words; what it switches is saved by whoever listens. */
export function Switch(props: {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  return (
    <label className="cs-switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={props.checked}
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span>
        {props.label}
        {props.hint !== undefined && <span>{props.hint}</span>}
      </span>
    </label>
  );
}

/** A few choices beside each other. */
export function Segments<Value extends string | number>(props: {
  readonly label: string;
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
}): ReactNode {
  return (
    <fieldset>
      <legend className="cs-hidden">{props.label}</legend>
      <div className="cs-segments">
        {props.choices.map(([value, text]) => (
          <label key={value}>
            <input
              type="radio"
              name={props.name}
              checked={props.value === value}
              onChange={() => props.onChange(value)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** How much of a whole, drawn; the words beside it say the same. */
export function Meter({ share, tone }: { readonly share: number; readonly tone?: Tone }): ReactNode {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return (
    <span className="cs-meter" data-tone={tone} aria-hidden="true">
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" focusable="false">
        <rect width={width} height="1" />
      </svg>
    </span>
  );
}
