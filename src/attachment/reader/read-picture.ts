import { writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { fileKinds } from "../file-types.ts";
import { ReadFault, type ReadJob, type ReadPicture } from "./reading.ts";

const longestSide = 1_568;
const thumbnailSide = 320;
const mostPixels = 50_000_000;
/** A drawing with sharp edges stays what it is as long as it is small. */
const largestPng = 1_000_000;

// No decoder but these four is ever asked: others render scripts' documents, or are rarely attacked code.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif"].flatMap((format) => [
    `VipsForeignLoad${format}File`,
    `VipsForeignLoad${format}Buffer`,
  ]),
});
sharp.cache(false);
sharp.concurrency(1);

/** Makes a picture anew: upright, at most 1,568 pixels long, without anything but its pixels; and a small one of it. */
export async function readPicture(
  job: Pick<ReadJob, "path" | "picturePath" | "thumbnailPath" | "timeMs">,
  found: string,
): Promise<ReadPicture> {
  const { data: pixels, info } = await decode(job);
  const { width, height, channels } = info;
  const made = (): Sharp => sharp(pixels, { raw: { width, height, channels } });
  const picture = await encode(made, { isPhoto: found === fileKinds.jpeg, hasAlpha: channels === 2 || channels === 4 });
  const thumbnail = await made()
    .resize(thumbnailSide, thumbnailSide, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer();
  await writeFile(job.picturePath, picture.bytes);
  await writeFile(job.thumbnailPath, thumbnail);
  return { found, type: picture.type, picture: { width, height } };
}

async function decode({ path, timeMs }: Pick<ReadJob, "path" | "timeMs">) {
  try {
    return await sharp(path, {
      limitInputPixels: mostPixels,
      failOn: "error",
      pages: 1,
      animated: false,
      sequentialRead: true,
    })
      .timeout({ seconds: Math.max(1, Math.floor(timeMs / 2_000)) })
      .rotate()
      .resize(longestSide, longestSide, { fit: "inside", withoutEnlargement: true })
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    // The library tells these two in words alone.
    const words = error instanceof Error ? error.message : "";
    if (/pixel limit/i.test(words)) throw new ReadFault("too_large");
    throw new ReadFault(/timeout/i.test(words) ? "timeout" : "unreadable");
  }
}

async function encode(
  made: () => Sharp,
  { isPhoto, hasAlpha }: { readonly isPhoto: boolean; readonly hasAlpha: boolean },
): Promise<{ readonly bytes: Buffer; readonly type: string }> {
  if (!isPhoto) {
    const bytes = await made().png({ compressionLevel: 7 }).toBuffer();
    if (bytes.length <= largestPng) return { bytes, type: fileKinds.png };
  }
  // What can be seen through stands on white, as in a page.
  const whole = hasAlpha ? made().flatten({ background: "white" }) : made();
  return { bytes: await whole.jpeg({ quality: 85 }).toBuffer(), type: fileKinds.jpeg };
}
