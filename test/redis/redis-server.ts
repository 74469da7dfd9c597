import { freePort, hasProgram, killProgram, startProgram } from "../programs.ts";

/** A Redis of its own for a test, that can be killed and started again on the same port. */
export interface RedisServer {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Why tests that need one are skipped; null where there is one. */
export const noRedis: string | null = hasProgram("redis-server")
  ? null
  : "redis-server is not installed on this machine";

/** Starts one that stores nothing. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const options = ["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"];
  const begin = () => startProgram(["redis-server", ...options], { ready: "Ready to accept connections" });
  let child = await begin();
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = await begin();
    },
    kill: () => killProgram(child),
  };
}
