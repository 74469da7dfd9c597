import { useState } from "react";
import type { ReactNode } from "react";
import type { Failure } from "../../client/snapshot.ts";
import type { AdminModule, AdminModules } from "../../wire/admin.ts";
import { useAdmin } from "./admin-context.ts";
import { newerOf } from "./newer.ts";
import { FailureTold, Nothing, Pill, Ready, SectionHead, Switch, Told } from "./parts.tsx";
import { Sheet } from "./sheet.tsx";
import { useLoad } from "./use-load.ts";

type Box = "on" | "writes";

/** The modules, each with its two switches; a switch is saved as it is moved. */
export function Modules(): ReactNode {
  const { words } = useAdmin();
  const loaded = useLoad<AdminModules>("/admin/modules");
  return (
    <>
      <SectionHead title={words.modules.title} about={words.modules.about} />
      <Ready loaded={loaded}>
        {({ modules }) =>
          modules.length === 0 ? (
            <Nothing icon="info">{words.modules.empty}</Nothing>
          ) : (
            modules.map((module) => <ModuleBox key={module.key} module={module} onSaved={loaded.put} />)
          )
        }
      </Ready>
    </>
  );
}

function ModuleBox(props: {
  readonly module: AdminModule;
  readonly onSaved: (modules: AdminModules) => void;
}): ReactNode {
  const { module, onSaved } = props;
  const { request, words, say } = useAdmin();
  const [saving, setSaving] = useState<Box | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isNewer, setNewer] = useState(false);

  const save = async (box: Box, value: boolean | null): Promise<void> => {
    setSaving(box);
    const path = `/admin/modules/${encodeURIComponent(module.key)}`;
    const answer = await request<AdminModules>("PATCH", path, { [box]: value, versions: module.versions });
    setSaving(null);
    const newer = newerOf(answer);
    setNewer(newer !== null);
    setFailure(answer.ok || newer !== null ? null : answer.failure);
    if (newer !== null) onSaved(newer.form);
    if (!answer.ok) return;
    onSaved(answer.value);
    say(words.modules.saved(module.title));
  };

  const box = (name: Box, label: string, hint: string): ReactNode => {
    const isSet = module.versions[name] > 0 && module[name] !== module.defaults[name];
    return (
      <div>
        <Switch
          label={label}
          hint={hint}
          checked={module[name]}
          disabled={saving !== null || (name === "writes" && !module.on)}
          onChange={(checked) => void save(name, checked)}
        />
        {isSet && (
          <p className="cs-row cs-hint">
            {words.modules.changed}
            <button type="button" className="cs-link" disabled={saving !== null} onClick={() => void save(name, null)}>
              {words.modules.reset}
            </button>
          </p>
        )}
      </div>
    );
  };

  return (
    <article className="cs-box cs-item" aria-label={module.title} data-module={module.key}>
      <div className="cs-item-head">
        <h2>{module.title}</h2>
        <code className="cs-quiet">{module.key}</code>
      </div>
      {isNewer && <Told tone="warn">{words.modules.newer}</Told>}
      <FailureTold failure={failure} />
      <div className="cs-switches">
        {box("on", words.modules.on, words.modules.onHint)}
        {box("writes", words.modules.writes, words.modules.writesHint)}
      </div>
      <details>
        <summary>{words.modules.tools(module.tools.length)}</summary>
        <Sheet
          label={module.title}
          hasRowNames
          columns={[
            { title: words.modules.tool },
            { title: words.modules.kind, isPlain: true },
            { title: words.modules.permission },
          ]}
          rows={module.tools.map(({ name, title, description, kind, permission }) => ({
            key: name,
            cells: [
              <>
                {title}
                <span className="cs-sub">{description}</span>
              </>,
              <Pill key="kind" tone={kind === "write" ? "accent" : "quiet"}>
                {words.modules[kind]}
              </Pill>,
              <code key="permission">{permission}</code>,
            ],
          }))}
        />
      </details>
    </article>
  );
}
