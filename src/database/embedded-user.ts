import { execFileSync } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { startError } from "./start-error.ts";

/** Whom the server runs as, where it may not run as this process does. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: then as `postgres`, else as `nobody`. Undefined for anyone but root. */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const uid = idOf("-u", name);
    const gid = idOf("-g", name);
    if (uid !== undefined && gid !== undefined) return { name, uid, gid };
  }
  throw startError(
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody": start as an ordinary user.',
  );
}

function idOf(kind: "-u" | "-g", name: string): number | undefined {
  try {
    return Number(execFileSync("id", [kind, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return undefined;
  }
}

/** Whether that user can pass every folder on the way to this one and read it. Without a user: this process can. */
export async function canReach(user: ServerUser | undefined, folder: string): Promise<boolean> {
  return (await closedFolder(user, folder)) === undefined;
}

/** The first folder on the way to this one that the user cannot pass. What is no folder yet closes nothing. */
export async function closedFolder(user: ServerUser | undefined, folder: string): Promise<string | undefined> {
  if (user === undefined) return undefined;
  const { root } = path.parse(folder);
  const steps = path.relative(root, folder).split(path.sep);
  for (let depth = 0; depth <= steps.length; depth++) {
    const at = path.join(root, ...steps.slice(0, depth));
    const found = await stat(at).catch(() => undefined);
    if (found?.isDirectory() !== true) return undefined;
    const bit = found.uid === user.uid ? 0o100 : found.gid === user.gid ? 0o010 : 0o001;
    if ((found.mode & bit) === 0) return at;
  }
  return undefined;
}
