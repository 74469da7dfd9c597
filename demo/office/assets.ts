import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Context } from "hono";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
  readonly changed: number;
}

/** Serves the built page's files by name; a browser asks each time and is told when nothing changed. */
export function serveAssets(folder: string): (c: Context) => Promise<Response> {
  const known = new Map<string, Asset>();

  const read = async (name: string): Promise<Asset | null> => {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found === null || !found.isFile()) return null;
    const before = known.get(name);
    if (before?.changed === found.mtimeMs) return before;
    const bytes = new Uint8Array(await readFile(file));
    const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 16)}"`;
    const asset = { bytes, tag, changed: found.mtimeMs };
    known.set(name, asset);
    return asset;
  };

  return async (c) => {
    const name = c.req.param("name") ?? "";
    const type = types[path.extname(name)];
    const asset = type !== undefined && /^[\w-]+\.[a-z]+$/.test(name) ? await read(name) : null;
    if (asset === null || type === undefined) return c.text("There is no such file.", 404);
    const headers = { "cache-control": "no-cache", etag: asset.tag, "content-type": type };
    if (c.req.header("if-none-match") === asset.tag) return c.body(null, 304, headers);
    return c.body(asset.bytes, 200, headers);
  };
}
