import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** As strict as a page can be: its own files and nothing else, no inline script or style, no string that becomes code. */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

const thumbnail =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#9bb"/><path d="M0 40 14 20l10 12 6-7 10 15z" fill="#467"/></svg>';

export interface ServedGallery {
  readonly url: string;
  close(): Promise<void>;
}

/** Builds the gallery, and the element's script beside it, and serves them under the strict policy. */
export async function serveGallery(policy: string = strictPolicy): Promise<ServedGallery> {
  const root = fileURLToPath(new URL(".", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "countersign-gallery-"));
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2022",
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          gallery: join(root, "index.html"),
          element: join(root, "element.html"),
          "assistant-ui": join(root, "assistant-ui.html"),
        },
      },
    },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    if (pathname.endsWith("/thumbnail")) {
      response.writeHead(200, { "content-type": "image/svg+xml" });
      return void response.end(thumbnail);
    }
    const file = pathname === "/" ? "index.html" : pathname.slice(1);
    readFile(join(folder, file)).then(
      (body) => {
        response.writeHead(200, {
          "content-type": types[extname(file)] ?? "application/octet-stream",
          "content-security-policy": policy,
        });
        response.end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
