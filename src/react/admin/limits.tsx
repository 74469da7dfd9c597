import { useEffect, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import type { AdminEndpoints, AdminLimits, AdminUsage } from "../../wire/admin.ts";
import { Spinner } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { toFormat } from "./format.ts";
import { LimitField } from "./limit-field.tsx";
import { toGroups, toSave, withDraft } from "./limit-form.ts";
import type { Draft } from "./limit-form.ts";
import { newerOf } from "./newer.ts";
import { FailureTold, Nothing, Ready, SectionHead, Segments, Told } from "./parts.tsx";
import { toHash } from "./section-hash.ts";
import { useLoad } from "./use-load.ts";

/** What holds for the whole site, or for one user. */
export function Limits({ userId }: { readonly userId: string | null }): ReactNode {
  const { words } = useAdmin();
  const [isUser, setUser] = useState(userId !== null);
  useEffect(() => setUser(userId !== null), [userId]);
  const path = isUser
    ? userId === null
      ? null
      : `/admin/limits?userId=${encodeURIComponent(userId)}`
    : "/admin/limits";
  const loaded = useLoad<AdminLimits>(path);
  const choose = (whose: "site" | "user"): void => {
    setUser(whose === "user");
    if (whose === "site" && userId !== null) location.hash = toHash("limits");
  };
  return (
    <>
      <SectionHead title={words.limits.title} about={words.limits.about}>
        <Segments
          label={words.limits.whose}
          name="cs-whose"
          value={isUser ? "user" : "site"}
          choices={[
            ["site", words.limits.site],
            ["user", words.limits.user],
          ]}
          onChange={choose}
        />
      </SectionHead>
      {isUser && <UserPicker userId={userId} />}
      {path === null ? (
        <Nothing icon="person">{words.limits.pick}</Nothing>
      ) : (
        <Ready loaded={loaded}>{(form) => <LimitsForm key={form.userId} form={form} onForm={loaded.put} />}</Ready>
      )}
    </>
  );
}

function UserPicker({ userId }: { readonly userId: string | null }): ReactNode {
  const { words, nameOf } = useAdmin();
  const usage = useLoad<AdminUsage>("/admin/usage");
  const known = usage.value?.users.filter(({ name }) => name !== "") ?? [];
  const open = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("userId");
    if (typeof typed === "string" && typed.trim() !== "") location.hash = toHash("limits", typed.trim());
  };
  return (
    <form className="cs-filters" key={userId} onSubmit={open}>
      <label className="cs-label cs-wide">
        <span>{words.limits.userId}</span>
        <input
          className="cs-input"
          name="userId"
          defaultValue={userId ?? ""}
          list="cs-known-users"
          autoComplete="off"
          spellCheck={false}
          required
        />
      </label>
      <datalist id="cs-known-users">
        {known.map(({ name }) => (
          <option key={name} value={name}>
            {nameOf(name) ?? name}
          </option>
        ))}
      </datalist>
      <div className="cs-row">
        <button type="submit" className="cs-button">
          {words.limits.open}
        </button>
        {userId !== null && <b>{nameOf(userId)}</b>}
      </div>
      {userId !== null && (
        <nav className="cs-row cs-all" aria-label={words.limits.theirs}>
          {(["overview", "journal", "calls"] as const).map((section) => (
            <a key={section} href={toHash(section, userId)}>
              {words.sections[section]}
            </a>
          ))}
        </nav>
      )}
    </form>
  );
}

function LimitsForm(props: { readonly form: AdminLimits; readonly onForm: (form: AdminLimits) => void }): ReactNode {
  const { form, onForm } = props;
  const { request, words, say } = useAdmin();
  const format = toFormat(words);
  const endpoints = useLoad<AdminEndpoints>("/admin/endpoints");
  const [draft, setDraft] = useState<Draft>(new Map());
  const [conflicts, setConflicts] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [state, setState] = useState<"editing" | "saving" | "saved">("editing");

  const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setState("saving");
    const answer = await request<AdminLimits>("PATCH", "/admin/limits", toSave(form, draft));
    const newer = newerOf(answer);
    setState(answer.ok ? "saved" : "editing");
    setFailure(answer.ok ? null : answer.failure);
    setConflicts(newer?.keys ?? []);
    if (newer !== null) onForm(newer.form);
    if (!answer.ok) return;
    setDraft(new Map());
    onForm(answer.value);
    say(words.saved);
  };

  return (
    <form className="cs-stack" onSubmit={(event) => void save(event)}>
      <p className="cs-quiet">
        {words.limits.spentBy(format.money(form.spending.dayMicros), format.money(form.spending.monthMicros))}
      </p>
      {toGroups(form.fields).map(([group, fields]) => (
        <section key={group} className="cs-form-group" aria-label={words.limits.groups[group]}>
          <h2>{words.limits.groups[group]}</h2>
          <div>
            {fields.map((field) => (
              <LimitField
                key={field.key}
                field={field}
                draft={draft.get(field.key)}
                isConflict={conflicts.includes(field.key)}
                choices={group === "endpoints" ? (endpoints.value?.endpoints.map(({ name }) => name) ?? []) : []}
                onDraft={(value) => {
                  setState("editing");
                  setDraft((before) => withDraft(before, field, value));
                }}
              />
            ))}
          </div>
        </section>
      ))}
      <FailureTold failure={failure} />
      {state === "saved" && <Told icon="check">{words.saved}</Told>}
      <div className="cs-save">
        <button type="submit" className="cs-button cs-primary" disabled={draft.size === 0 || state === "saving"}>
          {state === "saving" && <Spinner />}
          {state === "saving" ? words.saving : words.save}
        </button>
        <button
          type="button"
          className="cs-button"
          disabled={draft.size === 0 || state === "saving"}
          onClick={() => {
            setDraft(new Map());
            setConflicts([]);
            setFailure(null);
          }}
        >
          {words.limits.discard}
        </button>
        <span className="cs-quiet">{draft.size === 0 ? words.limits.untouched : words.limits.touched(draft.size)}</span>
      </div>
    </form>
  );
}
