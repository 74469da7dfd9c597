import type { TurnScene } from "../../src/testing/turn-scene.ts";
import type { Attachment } from "../../src/wire/api.ts";

export interface Sent {
  readonly name?: string;
  /** As the request would say it; null: it does not. */
  readonly size?: number | null;
  readonly ref?: string;
  readonly conversationId?: string;
  readonly signal?: AbortSignal;
}

/** What the attachment room answers an upload of a scene's user. */
export function upload(
  scene: TurnScene,
  bytes: string | Uint8Array | ReadableStream<Uint8Array>,
  sent: Sent = {},
): ReturnType<TurnScene["node"]["attachments"]["upload"]> {
  const { ref = scene.ref, conversationId = scene.conversationId, name = "a.txt", size = null } = sent;
  const body = bytes instanceof ReadableStream ? bytes : new Blob([new Uint8Array(Buffer.from(bytes))]).stream();
  const signal = sent.signal ?? new AbortController().signal;
  return scene.node.attachments.upload(ref, { conversationId, name, size, body, signal });
}

/** Uploads a file that must not be refused, and answers it once it was read. */
export async function uploaded(scene: TurnScene, bytes: string | Uint8Array, sent: Sent = {}): Promise<Attachment> {
  const answer = await upload(scene, bytes, sent);
  if (!answer.ok) throw new Error(`the file was refused: ${answer.reason}`);
  await scene.node.attachments.idle();
  const found = (await waitingOf(scene)).find(({ id }) => id === answer.attachment.id);
  if (found === undefined) throw new Error("the file is gone");
  return found;
}

/** The files that wait in a scene's chat. */
export async function waitingOf(scene: TurnScene): Promise<readonly Attachment[]> {
  const answer = await scene.node.attachments.waiting(scene.ref, scene);
  return answer.ok ? answer.attachments : [];
}
