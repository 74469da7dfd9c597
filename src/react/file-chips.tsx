import type { ReactNode } from "react";
import type { FileView } from "../client/files.ts";
import type { SentFile } from "../wire/messages.ts";
import { Icon, Spinner } from "./icons.tsx";
import type { Language } from "./language/language.ts";
import { usePanel } from "./panel-context.ts";
import { sayFile } from "./say.ts";
import { toFileSize } from "./time-text.ts";
import { VisibleText } from "./visible-text.tsx";

/** The files that wait in the composer: how far each is, and the way out for each. */
export function WaitingFiles({ files }: { readonly files: readonly FileView[] }): ReactNode {
  const { files: actions, language } = usePanel();
  const words = language.files;
  if (files.length === 0) return null;
  return (
    <ul className="cs-files" aria-label={words.label}>
      {files.map((file) => (
        <li key={file.key} className="cs-file" data-state={file.state}>
          <FileSign file={file} />
          <span className="cs-file-name">
            <VisibleText text={file.name} />
            <small>{toStateText(file, language)}</small>
          </span>
          {file.state === "failed" && file.again && (
            <button
              type="button"
              className="cs-tool"
              aria-label={`${words.again}: ${file.name}`}
              title={words.again}
              onClick={() => actions.again(file.key)}
            >
              <Icon name="again" />
            </button>
          )}
          <button
            type="button"
            className="cs-tool"
            aria-label={words.remove(file.name)}
            title={words.remove(file.name)}
            onClick={() => actions.remove(file.key)}
          >
            <Icon name="close" />
          </button>
          {file.state === "uploading" && (
            <progress value={file.progress} max={1} aria-label={`${words.uploading} ${file.name}`} />
          )}
        </li>
      ))}
    </ul>
  );
}

function FileSign({ file }: { readonly file: FileView }): ReactNode {
  if (file.state === "failed") return <Icon name="warning" />;
  if (file.state === "reading") return <Spinner />;
  return <Icon name={file.picture ? "picture" : "file"} />;
}

function toStateText({ state, code, size }: FileView, language: Language): string {
  if (state === "failed" && code !== null) return sayFile(code, language);
  if (state === "uploading") return language.files.uploading;
  return state === "reading" ? language.files.reading : toFileSize(size, language);
}

/** The files of a sent message, to be opened again by their owner. */
export function SentFiles({ files }: { readonly files: readonly SentFile[] }): ReactNode {
  const { client, language } = usePanel();
  if (files.length === 0) return null;
  const base = client.options.baseUrl.replace(/\/+$/, "");
  return (
    <ul className="cs-files" aria-label={language.files.label}>
      {files.map(({ id, name, size, picture }) => (
        <li key={id}>
          <a className="cs-file" data-picture={picture} href={`${base}/attachments/${id}`} download={name} title={name}>
            <span className="cs-hidden">{language.files.download} </span>
            {picture ? <img src={`${base}/attachments/${id}/thumbnail`} alt="" loading="lazy" /> : <Icon name="file" />}
            <span className="cs-file-name">
              <VisibleText text={name} />
              <small>{toFileSize(size, language)}</small>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
