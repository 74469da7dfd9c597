import { access, constants, mkdir } from "node:fs/promises";
import { startError } from "countersign";

/** Makes the demo's own folder; throws a start error when it cannot be written. */
export async function makeHome(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true });
    await access(home, constants.W_OK);
  } catch (error) {
    throw startError(
      `the folder ${home} cannot be written; make it writable for this user, or move the project.`,
      error,
    );
  }
}
