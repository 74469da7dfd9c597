import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort, hasProgram, killProgram, startProgram } from "../programs.ts";

/** Why tests that need one are skipped; null where there is one. */
export const noPgBouncer: string | null = hasProgram("pgbouncer") ? null : "pgbouncer is not installed on this machine";

export interface PgBouncer {
  readonly connectionString: string;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer before one database that hands each transaction any of its two connections; `ignoring` drops what
 * connections are opened with, as many configurations do, instead of refusing it.
 */
export async function startPgBouncer(
  server: string,
  { ignoring = false }: { readonly ignoring?: boolean } = {},
): Promise<PgBouncer> {
  const url = new URL(server);
  const name = url.pathname.slice(1);
  const host = url.searchParams.get("host") ?? url.hostname;
  // It does not run as root, and has to pass to the server's socket.
  const owner = process.getuid?.() === 0 ? await ownerOf(host) : undefined;
  const folder = await mkdtemp(path.join(tmpdir(), "countersign-pgbouncer-"));
  await chmod(folder, 0o711);
  const port = await freePort();
  const password = url.password === "" ? "" : ` password=${decodeURIComponent(url.password)}`;
  const file = path.join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    `[databases]
${name} = host=${host} port=${url.port || "5432"} user=${url.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
${ignoring ? "ignore_startup_parameters = options" : ""}
`,
  );
  if (owner !== undefined) await chown(file, owner, owner);
  const child = await startProgram(["pgbouncer", file], { ready: "process up", uid: owner });
  return {
    connectionString: `postgresql://${url.username}@127.0.0.1:${port}/${name}`,
    async stop() {
      await killProgram(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Of the socket's folder; nobody where the server is reached by network. */
async function ownerOf(host: string): Promise<number> {
  return host.startsWith("/") ? (await stat(host)).uid : 65_534;
}
