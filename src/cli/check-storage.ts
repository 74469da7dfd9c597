import { tryStorage } from "../attachment/look-at-files.ts";
import { finding, ok, type Finding } from "./finding.ts";
import type { LookedAt } from "./read-options.ts";

const steps = { write: "written", read: "read back", delete: "deleted" } as const;

/** Writes, reads and deletes a small file where uploads are kept. */
export async function checkStorage({ files = { folder: ".countersign/files" } }: LookedAt): Promise<Finding> {
  const place =
    "folder" in files ? `the folder ${files.folder}` : "s3" in files ? `the bucket ${files.s3.bucket}` : "the driver";
  const answer = await tryStorage(files);
  if (answer.ok) return ok("files", `a small file was written, read and deleted in ${place}`);
  const why = answer.code === undefined ? "" : ` (${answer.code})`;
  return finding("wrong", "files", {
    found: `a small file could not be ${steps[answer.reason]} in ${place}${why}`,
    mend: mendOf(answer.code, "folder" in files),
  });
}

function mendOf(code: string | undefined, isFolder: boolean): string {
  if (code === "ERR_MODULE_NOT_FOUND") return "Install @aws-sdk/client-s3 and @aws-sdk/s3-request-presigner.";
  if (isFolder) return "Name a folder that this user may write to, on a disk with room.";
  return "Check the bucket's name and region, and that the credentials may put, get and delete there.";
}
