import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Keeps secrets at rest: AES-256-GCM under a key made of the host's own secret. */
export interface Seal {
  /** `place` is bound in: a sealed secret moved to another place cannot be opened. */
  seal(secret: string, place: string): Buffer;
  /** Null when it was sealed under another key, for another place, or was changed. */
  open(sealed: Uint8Array, place: string): string | null;
}

const version = 1;
const shortest = 32;

/** Makes a seal of COUNTERSIGN_SECRET, at least 32 characters; throws on a shorter one. */
export function createSeal(secret: string): Seal {
  if (secret.length < shortest) {
    throw new Error(`countersign: COUNTERSIGN_SECRET: expected at least ${shortest} characters, got ${secret.length}`);
  }
  const key = Buffer.from(hkdfSync("sha256", secret, "countersign", "credentials of endpoints", 32));
  return {
    seal: (text, place) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(place));
      const hidden = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), hidden]);
    },
    open: (sealed, place) => {
      if (sealed[0] !== version || sealed.length < 29) return null;
      try {
        const opener = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 13), { authTagLength: 16 });
        opener.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(13, 29));
        return Buffer.concat([opener.update(sealed.subarray(29)), opener.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
