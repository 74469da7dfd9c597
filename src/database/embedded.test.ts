import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectDatabase } from "./connect.ts";
import { makeLinks } from "./embedded-binaries.ts";
import { startEmbedded, type Embedded } from "./embedded.ts";
import { isPostmasterOf, readPostmaster } from "./postmaster.ts";
import { sql } from "./sql.ts";
import { isStartError } from "./start-error.ts";

const isRoot = process.getuid?.() === 0;
const settings = { fsync: "off" };
let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "countersign-embedded-"));
  // Where this process is root, the server is another user and has to pass.
  await chmod(home, 0o711);
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function ask(connectionString: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end();
  }
}

async function isRunning(folder: string): Promise<boolean> {
  const server = await readPostmaster(folder);
  return server !== undefined && (await isPostmasterOf(server.pid, folder));
}

async function startSentence(folder: string): Promise<string> {
  const error: unknown = await startEmbedded({ folder }).then(
    (server) => server.stop(),
    (thrown: unknown) => thrown,
  );
  return isStartError(error) ? error.startSentence : `no start error: ${String(error)}`;
}

/** Another process that uses the server of a folder until it is told to stop. */
async function startOther(
  folder: string,
  options: { readonly flags?: readonly string[]; readonly module?: string; readonly env?: object } = {},
): Promise<{ readonly child: ChildProcess; readonly adopted: boolean; stop(): Promise<number | null> }> {
  const module = options.module ?? new URL("./embedded.ts", import.meta.url).href;
  const script = `
    import { startEmbedded } from ${JSON.stringify(module)};
    const server = await startEmbedded({ folder: ${JSON.stringify(folder)}, settings: ${JSON.stringify(settings)} });
    console.log(JSON.stringify({ adopted: server.adopted }));
    process.stdin.once("data", async () => { await server.stop(); process.exit(0); });`;
  const child = spawn(process.execPath, [...(options.flags ?? []), "--input-type=module", "-e", script], {
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const said: readonly unknown[] = await once(createInterface(child.stdout), "line");
  const { adopted } = JSON.parse(String(said[0])) as { readonly adopted: boolean };
  return {
    child,
    adopted,
    async stop() {
      child.stdin.write("stop\n");
      await once(child, "exit");
      return child.exitCode;
    },
  };
}

describe("one folder", () => {
  let folder: string;
  let server: Embedded;
  beforeAll(async () => {
    folder = path.join(home, "shared");
    server = await startEmbedded({ folder, settings });
  });
  afterAll(() => server.stop());

  test("answers through a socket in a folder closed to others, without a port", async () => {
    expect(server.adopted).toBe(false);
    expect(await ask(server.connectionString, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
    expect((await readPostmaster(folder))?.socket).toBe(folder);
  });

  test("is shared with a process that joins; whoever is last stops the server", async () => {
    const other = await startOther(folder);
    expect(other.adopted).toBe(true);
    await server.stop();
    expect(await isRunning(folder)).toBe(true);
    expect(await other.stop()).toBe(0);
    expect(await isRunning(folder)).toBe(false);
    server = await startEmbedded({ folder, settings });
    expect(server.adopted).toBe(false);
  });

  test("survives a process killed in use: its server is adopted, and its use is over", async () => {
    await server.stop();
    const killed = await startOther(folder);
    const pid = (await readPostmaster(folder))?.pid;
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    server = await startEmbedded({ folder, settings });
    expect(server.adopted).toBe(true);
    expect((await readPostmaster(folder))?.pid).toBe(pid);
    await server.stop();
    expect(await isRunning(folder)).toBe(false);
    server = await startEmbedded({ folder, settings });
  });

  test("keeps its server through a Ctrl-C that reaches the whole group of a process", async () => {
    await server.stop();
    const other = await startOther(folder);
    process.kill(-(other.child.pid ?? Number.NaN), "SIGINT");
    await once(other.child, "exit");
    expect(await isRunning(folder)).toBe(true);
    server = await startEmbedded({ folder, settings });
    expect(server.adopted).toBe(true);
  });

  test("recovers from a killed server with all that was committed, and stopping after a kill returns", async () => {
    await ask(server.connectionString, "create table kept as select 1 as n");
    process.kill((await readPostmaster(folder))?.pid ?? Number.NaN, "SIGKILL");
    await server.stop();
    server = await startEmbedded({ folder, settings });
    expect(server.adopted).toBe(false);
    expect(await ask(server.connectionString, "select n from kept")).toEqual([{ n: 1 }]);
  });

  test("starts though its lock file names a process that is something else by now", async () => {
    const lockFile = path.join(folder, "postmaster.pid");
    const text = await readFile(lockFile, "utf8");
    await server.stop();
    await writeFile(lockFile, text.replace(/^\d+/, String(process.pid)));
    server = await startEmbedded({ folder, settings });
    expect(server.adopted).toBe(false);
  });

  test("may be restarted under a node, whose statements and listening go on", async () => {
    const node = await connectDatabase({ connectionString: server.connectionString });
    const back = Promise.withResolvers<void>();
    const heard = Promise.withResolvers<string>();
    await node.listen("restart", heard.resolve, back.resolve);
    await server.stop();
    await expect(node.query(sql`select 1 as one`)).rejects.toThrow(/ENOENT|terminat/);
    server = await startEmbedded({ folder, settings });
    await back.promise;
    node.notify("restart", "still here");
    expect(await heard.promise).toBe("still here");
    expect(await node.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await node.close();
  });

  test("can be stopped twice", async () => {
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(await isRunning(folder)).toBe(false);
    server = await startEmbedded({ folder, settings });
  });
});

test("of processes that start at once on a new folder one starts the server and all use it", async () => {
  const folder = path.join(home, "raced");
  const own = startEmbedded({ folder, settings });
  const others = await Promise.all([startOther(folder), startOther(folder)]);
  const server = await own;
  expect([server, ...others].filter(({ adopted }) => !adopted)).toHaveLength(1);
  await Promise.all([server.stop(), ...others.map(({ stop }) => stop())]);
  expect(await isRunning(folder)).toBe(false);
  expect((await readdir(home)).filter((name) => name.startsWith("raced.init-"))).toEqual([]);
});

test("what a process killed while it made a folder left behind is removed, one under way is not", async () => {
  const folder = path.join(home, "leftovers");
  const [old, young] = [`${folder}.init-0001`, `${folder}.init-0002`];
  await mkdir(old);
  await writeFile(path.join(old, "PG_VERSION"), "18\n");
  await utimes(old, 1, 1);
  await mkdir(young);
  await (await startEmbedded({ folder, settings })).stop();
  expect((await readdir(home)).filter((name) => name.startsWith("leftovers.init-"))).toEqual([path.basename(young)]);
});

test("over TCP the server listens on this machine alone and asks for a password of its own", async () => {
  const server = await startEmbedded({ folder: path.join(home, "tcp"), settings, reach: "tcp" });
  const address = new URL(server.connectionString);
  expect(address.hostname).toBe("127.0.0.1");
  expect(await ask(server.connectionString, "select 1 as one")).toEqual([{ one: 1 }]);
  address.password = "guessed";
  await expect(ask(address.href, "select 1")).rejects.toThrow("password authentication failed");
  await server.stop();
});

test("a data folder whose path is too long for a socket gets one elsewhere", async () => {
  const server = await startEmbedded({ folder: path.join(home, "long".repeat(25)), settings });
  expect(await ask(server.connectionString, "select 1 as one")).toEqual([{ one: 1 }]);
  await server.stop();
});

describe("what keeps a folder from being used is one sentence with the mend", () => {
  test("a folder of another major version", async () => {
    const folder = path.join(home, "old");
    await mkdir(folder);
    await writeFile(path.join(folder, "PG_VERSION"), "17\n");
    expect(await startSentence(folder)).toMatch(/is of PostgreSQL 17, and this is \d+: move it away/);
  });

  test("a folder that holds other files", async () => {
    const folder = path.join(home, "other");
    await mkdir(folder);
    await writeFile(path.join(folder, "letter.txt"), "");
    expect(await startSentence(folder)).toMatch(/holds other files: name a new or an empty folder/);
    expect(await readdir(folder)).toEqual(["letter.txt"]);
  });

  test("a folder below a file", async () => {
    await writeFile(path.join(home, "file"), "");
    expect(await startSentence(path.join(home, "file", "data"))).toMatch(/or one above it is a file/);
  });

  test("a folder that this process, or the server's user, cannot pass", async () => {
    const closed = path.join(home, "closed");
    await mkdir(closed, { mode: isRoot ? 0o700 : 0o500 });
    expect(await startSentence(path.join(closed, "data"))).toMatch(
      isRoot ? /to whom .*closed is closed: chmod o\+x/ : /is not readable and writable for this user/,
    );
  });
});

// Only root runs the server as another user.
test.runIf(isRoot)(
  "a project closed to the server's user runs on a copy of the programs, with its data elsewhere",
  async () => {
    const closed = path.join(home, "project");
    const copies = path.join(home, "tmp");
    await mkdir(closed, { mode: 0o700 });
    await mkdir(copies, { mode: 0o755 });
    const root = fileURLToPath(new URL("../..", import.meta.url));
    await symlink(path.join(root, "src"), path.join(closed, "src"));
    await symlink(path.join(root, "node_modules"), path.join(closed, "node_modules"));
    await symlink(path.join(root, "package.json"), path.join(closed, "package.json"));
    const other = await startOther(path.join(home, "copied"), {
      flags: ["--preserve-symlinks"],
      module: path.join(closed, "src/database/embedded.ts"),
      env: { TMPDIR: copies },
    });
    const elsewhere = await startEmbedded({ folder: path.join(closed, "data"), elsewhere: path.join(home, "copied") });
    expect([elsewhere.folder, elsewhere.adopted]).toEqual([path.join(home, "copied"), true]);
    await elsewhere.stop();
    expect(await readdir(copies)).toEqual([expect.stringMatching(/^countersign-postgresql-\d+/)]);
    expect(await other.stop()).toBe(0);
  },
);

test("links that a blocked install script did not make are made", async () => {
  const native = path.join(home, "package/native");
  await mkdir(path.join(native, "lib"), { recursive: true });
  await writeFile(path.join(native, "lib/libx.so.1.2"), "");
  const links = ["libx.so", "libx.so.1"].map((name) => ({
    source: "native/lib/libx.so.1.2",
    target: `native/lib/${name}`,
  }));
  await writeFile(path.join(native, "pg-symlinks.json"), JSON.stringify(links));
  expect(await makeLinks(native)).toBe(true);
  expect(await makeLinks(native)).toBe(true);
  expect(await readlink(path.join(native, "lib/libx.so.1"))).toBe("libx.so.1.2");
});
