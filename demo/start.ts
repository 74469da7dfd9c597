// npm start: the whole demo with one command. Prints one address, or one sentence that says what stops it and the mend.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { checkKey } from "./check-key.ts";
import { startDemo, type Demo } from "./demo.ts";
import { toSentence } from "./sentences.ts";

const hardLimitMs = 19_000;
const { PORT: port = "3000", DATABASE_URL: databaseUrl, COUNTERSIGN_DEMO_PAGE: page } = process.env;
/** Where the demo keeps what it makes; another one is another demo. */
const home = process.env["COUNTERSIGN_HOME"] || fileURLToPath(new URL("../.countersign", import.meta.url));

try {
  const base = databaseUrl
    ? "the database of DATABASE_URL"
    : `a PostgreSQL of its own in ${path.relative(process.cwd(), path.join(home, "postgres"))}`;
  console.log(`Starting the demo on ${base} …`);
  const demo = await startDemo({
    port,
    home: path.resolve(home),
    databaseUrl: databaseUrl || undefined,
    environment: process.env,
    page: page === "watched" ? "as it is" : "fresh",
  });
  stopOnSignals(demo);
  console.log(`ready in ${Math.round(performance.now())} ms, ${speaks(demo)}`);
  console.log(`\n  ${demo.url}\n`);
  const warning = await checkKey(demo.endpoint, process.env);
  if (warning !== null) console.warn(warning);
} catch (error) {
  console.error(toSentence(error));
  process.exit(1);
}

function speaks({ endpoint }: Demo): string {
  return endpoint.provider === "demo"
    ? "with the demo model (no language model; set a key to talk to one)"
    : `with ${endpoint.model} of ${endpoint.provider}`;
}

function stopOnSignals(demo: Demo): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    console.log("Stopping …");
    setTimeout(() => process.exit(1), hardLimitMs).unref();
    demo.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(toSentence(error));
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}
