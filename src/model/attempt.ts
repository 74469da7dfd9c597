import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createHearing, type Attempt } from "./hear-answer.ts";

export interface Listening {
  onText(delta: string): void;
  readonly signal: AbortSignal;
  now(): number;
}

/** Makes one request and reads its stream to the end. What goes wrong at the provider is in the answer, never thrown. */
export async function attempt(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  listening: Listening,
): Promise<Attempt> {
  const offered = new Set(options.tools?.map(({ name }) => name));
  const heard = createHearing(listening, offered);
  const parts = readParts(model, options, listening.signal);
  for (;;) {
    let next: IteratorResult<LanguageModelV4StreamPart, undefined>;
    try {
      next = await parts.next();
    } catch (error) {
      heard.thrown(error);
      break;
    }
    if (next.done === true) break;
    heard.hear(next.value);
  }
  return heard.end();
}

async function* readParts(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
  const { stream } = await unlessAborted(Promise.resolve(model.doStream(options)), signal);
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) return undefined;
      yield value;
    }
  } finally {
    // a model that ignores its signal is left behind, not waited for
    reader.cancel().catch(() => {});
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    throw signal.reason;
  }
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
