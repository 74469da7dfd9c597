import { useState } from "react";
import type { ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import type { AdminEndpoint, AdminEndpoints, AdminTriedEndpoint } from "../../wire/admin.ts";
import { Icon } from "../icons.tsx";
import { useAdmin } from "./admin-context.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import { toFormat } from "./format.ts";
import { newerOf } from "./newer.ts";
import { FailureTold, Nothing, Pill, Ready, SectionHead, Told, UserLink } from "./parts.tsx";
import { Sheet } from "./sheet.tsx";
import { useLoad } from "./use-load.ts";

/** The ways to a model, and who uses which. */
export function Endpoints(): ReactNode {
  const { words } = useAdmin();
  const loaded = useLoad<AdminEndpoints>("/admin/endpoints");
  const [open, setOpen] = useState<string | "new" | null>(null);
  const { value } = loaded;
  const edited = value?.endpoints.find(({ name }) => open === `edit ${name}`) ?? null;
  return (
    <>
      <SectionHead title={words.endpoints.title} about={words.endpoints.about}>
        <button type="button" className="cs-button cs-primary" disabled={value === null} onClick={() => setOpen("new")}>
          <Icon name="plus" />
          {words.endpoints.add}
        </button>
      </SectionHead>
      <Ready loaded={loaded}>
        {(list) => (
          <>
            {list.endpoints.length === 0 && <Nothing icon="arrow">{words.endpoints.empty}</Nothing>}
            {list.endpoints.map((endpoint) => (
              <EndpointBox
                key={endpoint.name}
                endpoint={endpoint}
                list={list}
                onEdit={() => setOpen(`edit ${endpoint.name}`)}
                onList={loaded.put}
              />
            ))}
            <UsedBy list={list} />
          </>
        )}
      </Ready>
      {value !== null && (open === "new" || edited !== null) && (
        <EndpointForm
          endpoint={edited}
          canStoreKeys={value.canStoreKeys}
          onList={loaded.put}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function EndpointBox(props: {
  readonly endpoint: AdminEndpoint;
  readonly list: AdminEndpoints;
  readonly onEdit: () => void;
  readonly onList: (list: AdminEndpoints) => void;
}): ReactNode {
  const { endpoint, list, onEdit, onList } = props;
  const { request, words, say } = useAdmin();
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isNewer, setNewer] = useState(false);
  const [tried, setTried] = useState<AdminTriedEndpoint | null>(null);
  const { name, enabled, available, version } = endpoint;
  const path = `/admin/endpoints/${encodeURIComponent(name)}`;

  const change = async (method: "PATCH" | "DELETE", body?: object): Promise<void> => {
    setBusy(true);
    const answer = await request<AdminEndpoints>(method, path, body);
    setBusy(false);
    const newer = newerOf(answer);
    setNewer(newer !== null);
    setFailure(answer.ok || newer !== null ? null : answer.failure);
    if (newer !== null) onList(newer.form);
    if (!answer.ok) return;
    setAsked(false);
    onList(answer.value);
    say(words.saved);
  };

  const tryIt = async (): Promise<void> => {
    setBusy(true);
    setTried(null);
    const answer = await request<AdminTriedEndpoint>("POST", `${path}/try`);
    setBusy(false);
    setFailure(answer.ok ? null : answer.failure);
    if (answer.ok) setTried(answer.value);
  };

  return (
    <article className="cs-box cs-item" aria-label={name} data-endpoint={name}>
      <div className="cs-item-head">
        <h2>{name}</h2>
        {available ? (
          <Pill tone="good">{words.endpoints.ready}</Pill>
        ) : (
          <Pill tone="warn">{enabled ? words.endpoints.noKey : words.endpoints.off}</Pill>
        )}
        {list.siteEndpoint === name && <Pill tone="accent">{words.endpoints.forSite}</Pill>}
        {list.offered.includes(name) && <Pill>{words.endpoints.offered}</Pill>}
        {endpoint.from === "code" && <Pill>{words.endpoints.fromCode}</Pill>}
      </div>
      <Facts endpoint={endpoint} />
      {isNewer && <Told tone="warn">{words.failures.changed_meanwhile}</Told>}
      <FailureTold failure={failure} />
      {tried !== null && <Tried tried={tried} />}
      {!isAsked && (
        <div className="cs-item-foot">
          <button
            type="button"
            className="cs-button"
            aria-label={words.endpoints.tryOf(name)}
            title={words.endpoints.tryHint}
            disabled={isBusy || !available}
            onClick={() => void tryIt()}
          >
            {words.endpoints.try}
          </button>
          {endpoint.from === "admin" && (
            <>
              <button type="button" className="cs-button" aria-label={words.endpoints.editOf(name)} onClick={onEdit}>
                <Icon name="edit" />
                {words.endpoints.edit}
              </button>
              <button
                type="button"
                className="cs-button"
                disabled={isBusy}
                onClick={() => void change("PATCH", { version, changes: { enabled: !enabled } })}
              >
                {enabled ? words.endpoints.turnOff : words.endpoints.turnOn}
              </button>
              <button type="button" className="cs-button cs-danger" onClick={() => setAsked(true)}>
                <Icon name="remove" />
                {words.endpoints.remove}
              </button>
            </>
          )}
        </div>
      )}
      {isAsked && (
        <div className="cs-item-foot">
          <Told tone="warn">
            <p>{words.endpoints.removeSure(name)}</p>
          </Told>
          <button type="button" className="cs-button cs-danger" disabled={isBusy} onClick={() => void change("DELETE")}>
            {words.endpoints.remove}
          </button>
          <button type="button" className="cs-button" onClick={() => setAsked(false)}>
            {words.cancel}
          </button>
        </div>
      )}
    </article>
  );
}

/** What one tiny call came to. */
function Tried({ tried }: { readonly tried: AdminTriedEndpoint }): ReactNode {
  const { words } = useAdmin();
  if (tried.ok) {
    const { model, latencyMs } = tried;
    return <Told icon="check">{words.endpoints.answered(model, toFormat(words).duration(latencyMs))}</Told>;
  }
  return (
    <Told tone="warn">{words.endpoints.notAnswered[tried.code] ?? words.endpoints.notAnsweredFor(tried.code)}</Told>
  );
}

function Facts({ endpoint }: { readonly endpoint: AdminEndpoint }): ReactNode {
  const { words } = useAdmin();
  const format = toFormat(words);
  const { credential, price, images, tools } = endpoint;
  const can = [images && words.endpoints.images, tools && words.endpoints.tools].filter(Boolean).join(", ");
  const key =
    credential === "none"
      ? words.endpoints.keyNone
      : credential === "stored"
        ? words.endpoints.keyStored
        : words.endpoints.keyEnv(credential.env);
  const facts = [
    [words.endpoints.model, endpoint.model],
    [words.endpoints.provider, endpoint.provider],
    [words.endpoints.address, endpoint.baseURL ?? words.endpoints.ownAddress],
    [words.endpoints.key, key],
    [
      words.endpoints.price,
      price === null
        ? words.endpoints.noPrice
        : words.endpoints.priceOf(format.dollars(price.input), format.dollars(price.output)),
    ],
    [words.endpoints.more, can === "" ? words.none : can],
  ] as const;
  return (
    <dl className="cs-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function UsedBy({ list }: { readonly list: AdminEndpoints }): ReactNode {
  const { words } = useAdmin();
  return (
    <div>
      <h2>{words.endpoints.usedBy}</h2>
      {list.users.length === 0 ? (
        <p className="cs-quiet">{words.endpoints.nobody}</p>
      ) : (
        <Sheet
          label={words.endpoints.usedBy}
          hasRowNames
          columns={[
            { title: words.endpoints.user },
            { title: words.endpoints.endpoint, isPlain: true },
            { title: words.endpoints.why, isPlain: true },
          ]}
          rows={list.users.map(({ userId, endpoint, how }) => ({
            key: `${userId} ${how}`,
            cells: [<UserLink key="user" userId={userId} />, endpoint, words.endpoints.how[how]],
          }))}
        />
      )}
    </div>
  );
}
