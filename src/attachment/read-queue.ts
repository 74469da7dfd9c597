import { describeError } from "../core/describe-error.ts";
import type { Logger } from "../logger.ts";

/** Work of many users, a few at once: a user with many files waits behind those with few. */
export interface ReadQueue {
  add(userId: string, work: () => Promise<void>): Promise<void>;
  idle(): Promise<void>;
}

interface Job {
  readonly userId: string;
  run(): Promise<void>;
}

/** How many files are read at once: as set, or one fewer than the processors, so that one is left for turns. */
export function toReadsAtOnce(set: number, processors: number): number {
  return set === 0 ? Math.max(1, processors - 1) : set;
}

export function createReadQueue({ atOnce, logger }: { readonly atOnce: number; readonly logger: Logger }): ReadQueue {
  const waiting: Job[] = [];
  const running = new Map<Job, Promise<void>>();

  function next(): void {
    while (running.size < atOnce && waiting.length > 0) {
      const busy = [...running.keys()];
      const ofUser = (job: Job): number => busy.filter(({ userId }) => userId === job.userId).length;
      const job = waiting.reduce((best, one) => (ofUser(one) < ofUser(best) ? one : best));
      waiting.splice(waiting.indexOf(job), 1);
      const done = job.run().finally(() => {
        running.delete(job);
        next();
      });
      running.set(job, done);
    }
  }

  return {
    add(userId, work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const run = async (): Promise<void> => {
        try {
          await work();
        } catch (error) {
          logger.error({ error: describeError(error) }, "the reading of a file failed");
        } finally {
          resolve();
        }
      };
      waiting.push({ userId, run });
      next();
      return promise;
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
  };
}
