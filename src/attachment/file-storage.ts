import { Readable } from "node:stream";
import { createReadStream } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import type { DriverContract } from "flydrive/types";

/** Where files are kept, by names made of random ids: nothing a user wrote is ever part of one. */
export interface FileStorage {
  /** Puts a local file there under a name. */
  put(name: string, path: string, contentType: string): Promise<void>;
  /** Null for what is not there. */
  get(name: string): Promise<Readable | null>;
  /** Deletes all that is kept under a key; nothing there is no failure. */
  remove(key: string): Promise<void>;
  removeOne(name: string): Promise<void>;
}

/** A folder of this machine, a bucket of an S3-compatible service, or a flydrive driver of the host's own. */
export type FileStorageOptions =
  | { readonly folder: string }
  | { readonly s3: S3StorageOptions }
  | { readonly driver: DriverContract };

/** As flydrive's S3 driver takes them. Needs the packages `@aws-sdk/client-s3` and `@aws-sdk/s3-request-presigner` in the host. */
export interface S3StorageOptions {
  readonly bucket: string;
  readonly region: string;
  /** Of a service that is not Amazon's. */
  readonly endpoint?: string | undefined;
  readonly forcePathStyle?: boolean | undefined;
  /** Default: as the SDK finds them in the environment. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** False for services without access lists, as Cloudflare's R2 and Google's are. */
  readonly supportsACL?: boolean | undefined;
}

/** What a file is kept as. */
export const objectNames = {
  original: (key: string): string => `${key.slice(0, 2)}/${key}`,
  picture: (key: string): string => `${key.slice(0, 2)}/${key}.picture`,
  thumbnail: (key: string): string => `${key.slice(0, 2)}/${key}.thumbnail`,
};

/** Opens the storage at its first use: nothing is made, and no service is asked, before there is a file. */
export function createFileStorage(options: FileStorageOptions): FileStorage {
  let opened: Promise<Disk> | undefined;
  const disk = (): Promise<Disk> => (opened ??= openDriver(options).then((driver) => new Disk(driver)));
  return {
    async put(name, path, contentType) {
      // On one machine the system copies: not a byte goes through this process's memory.
      if ("folder" in options) {
        const target = join(resolve(options.folder), name);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        return copyFile(path, target);
      }
      await (await disk()).putStream(name, createReadStream(path), { contentType, visibility: "private" });
    },
    async get(name) {
      const at = await disk();
      return (await at.exists(name)) ? at.getStream(name) : null;
    },
    async removeOne(name) {
      await (await disk()).delete(name);
    },
    async remove(key) {
      const at = await disk();
      await Promise.all(Object.values(objectNames).map((toName) => at.delete(toName(key))));
    },
  };
}

async function openDriver(options: FileStorageOptions): Promise<DriverContract> {
  if ("driver" in options) return options.driver;
  if ("folder" in options) return new FSDriver({ location: resolve(options.folder), visibility: "private" });
  const { S3Driver } = await import("flydrive/drivers/s3");
  const { credentials, ...rest } = options.s3;
  return new S3Driver({
    ...dropUndefined(rest),
    ...(credentials !== undefined && { credentials }),
    // Services other than Amazon's do not know the checksums that its own client would add by itself.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    visibility: "private",
  });
}

function dropUndefined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
