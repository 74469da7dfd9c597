import { describeError } from "../core/describe-error.ts";
import type { TurnRooms } from "./turn-rooms.ts";

/** What every node looks for again and again: turns and clicks whose node died, and what is to be deleted. */
export interface Sweeper {
  /** Stops; resolves when a sweep under way is done. */
  close(): Promise<void>;
}

/** Sweeps every `sweepEvery`, from one sweep's end to the next one's begin. A part that fails is logged, and the others go on. */
export function createSweeper(rooms: TurnRooms): Sweeper {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();

  function plan(): void {
    if (closed) return;
    timer = setTimeout(() => {
      sweeping = sweep(rooms).finally(plan);
    }, rooms.settings.fixed.sweepEvery);
    timer.unref();
  }
  plan();

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await sweeping;
    },
  };
}

/** One sweep: lapsed locks first, as somebody waits for those. */
export async function sweep({ chat, confirmations, core, models, attachments, logger }: TurnRooms): Promise<void> {
  const part = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      logger.error({ part: what, error: describeError(error) }, "a part of the sweep failed");
    }
  };
  await part("locks", async () => {
    for (const { userId, conversationId } of await chat.sweepLocks()) {
      await part("cards", () => confirmations.settleSwept(userId, { conversationId }));
    }
  });
  await part("spent rows", () => confirmations.settleSpent());
  await part("journal", () => models.sweep());
  await part("deleted chats", () => chat.sweepDeleted(attachments.forgetChat));
  await part("files", () => attachments.sweep());
  await part("confirmations", () => core.sweep());
}
