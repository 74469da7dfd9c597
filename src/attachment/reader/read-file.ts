// The program of a child process that reads one file: it may die of the file, and nothing else does. Its main thread
// reads; a thread beside it watches time and memory and ends the process when one runs out. It has no credentials, is
// given no network to use and may write only into its own folder.
import { writeFileSync, writeSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { fileKinds } from "../file-types.ts";
import { ReadFault, verdictFd, type Reading, type ReadJob, type Verdict } from "./reading.ts";

const lookEveryMs = 20;

if (isMainThread) {
  const job = JSON.parse(process.argv[2] ?? "") as ReadJob;
  const watchdog = new Worker(new URL(import.meta.url), { workerData: job });
  // Nothing of the file, and no library, is touched before it is watched.
  watchdog.once("message", () => void answer(job));
} else {
  watch(workerData as ReadJob);
}

function watch({ timeMs, memoryBytes }: ReadJob): void {
  const began = performance.now();
  const look = (): void => {
    const bytes = process.memoryUsage.rss();
    if (bytes > memoryBytes) end({ code: "too_large", peakBytes: bytes });
    else if (performance.now() - began >= timeMs) end({ code: "timeout", peakBytes: bytes });
  };
  look();
  setInterval(look, lookEveryMs);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage("watching");
}

function end(verdict: Verdict): void {
  try {
    writeSync(verdictFd, JSON.stringify(verdict));
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}

async function answer(job: ReadJob): Promise<void> {
  let reading: Reading;
  try {
    reading = await read(job);
  } catch (error) {
    reading = { ok: false, code: error instanceof ReadFault ? error.code : "unreadable" };
  }
  // Written at once: a pipe that is written to asynchronously is cut by the exit.
  const peakBytes = process.resourceUsage().maxRSS * 1_024;
  writeFileSync(1, JSON.stringify({ ...reading, peakBytes }));
  process.exit(0);
}

async function read(job: ReadJob): Promise<Reading> {
  const { path, characters } = job;
  const { detectType } = await import("./detect-type.ts");
  const type = await detectType(path);
  switch (type) {
    case fileKinds.png:
    case fileKinds.jpeg:
    case fileKinds.webp:
    case fileKinds.gif: {
      const { readPicture } = await import("./read-picture.ts");
      return { ok: true, ...(await readPicture(job, type)) };
    }
    case fileKinds.pdf: {
      const { readPdf } = await import("./read-pdf.ts");
      return { ok: true, type, ...(await readPdf(path, characters)) };
    }
    case fileKinds.docx: {
      const { readDocx } = await import("./read-docx.ts");
      return { ok: true, type, ...(await readDocx(path, characters)) };
    }
    case fileKinds.xlsx: {
      const { readXlsx } = await import("./read-xlsx.ts");
      return { ok: true, type, ...(await readXlsx(path, characters)) };
    }
    case null: {
      const { readText } = await import("./read-text.ts");
      return { ok: true, ...(await readText(path, characters)) };
    }
    default:
      throw new ReadFault("unsupported_type");
  }
}
