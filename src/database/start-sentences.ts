import pg from "pg";
import { isStartError, startError, type StartError } from "./start-error.ts";

const oldestServer = 140_000;

/** What to say of a server by its version, as in 180004; undefined when it is new enough. */
export function tooOldSentence(server: { readonly version: number; readonly name: string }): string | undefined {
  if (server.version >= oldestServer) return undefined;
  return `the server is PostgreSQL ${server.name}; version 14 or newer is needed: upgrade it, or name another one.`;
}

/** Says in one sentence why the first statement failed, and the mend. Never holds the password. */
export function toStartError(error: unknown, config: pg.ClientConfig): StartError {
  if (isStartError(error)) return error;
  const client = toClient(config);
  if (client === undefined)
    return startError("the address of the database is not one: expected postgresql://user@host/name.");
  const place = client.host.startsWith("/") ? client.host : `${client.host}:${client.port}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ECONNREFUSED":
    case "ENOENT":
      return startError(
        `no PostgreSQL answers at ${place} (${code}); start it or correct the address of the database.`,
        error,
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return startError(
        `the database's host ${client.host} is not known (${code}); correct the address of the database.`,
        error,
      );
    case "28P01":
    case "28000":
      return startError(
        `PostgreSQL at ${place} refuses the user "${client.user}" (${code}); correct user and password.`,
        error,
      );
    case "3D000":
      return startError(
        `PostgreSQL at ${place} has no database "${client.database}"; create it or correct the name.`,
        error,
      );
    case "53300":
      return startError(
        `PostgreSQL at ${place} has no connection left; raise max_connections or lower poolSize.`,
        error,
      );
    case "08P01":
      return startError(
        `a pooler at ${place} refuses what connections are set to (08P01); name the server itself, or say \`pooler\`.`,
        error,
      );
    case "57P03":
      return startError(`PostgreSQL at ${place} is starting or stopping; try again in a moment.`, error);
    default:
      return startError(
        `PostgreSQL at ${place} cannot be used (${code === "" ? "" : `${code}: `}${error instanceof Error ? error.message : String(error)}); check the server and the address of the database.`,
        error,
      );
  }
}

/** Only knows where it would connect to. */
function toClient(config: pg.ClientConfig): pg.Client | undefined {
  try {
    return new pg.Client(config);
  } catch {
    return undefined;
  }
}
