import type { Method } from "./route.ts";

/** Where a request goes: the path of a route's declaration with the ids it names, and the prefix it was mounted under. */
export interface FoundPath {
  readonly path: string;
  readonly methods: readonly Method[];
  /** What stands before the route in the URL: the mount, "" when a framework has taken it off. */
  readonly mount: string;
  readonly ids: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly path: string;
  readonly methods: readonly Method[];
  readonly match: RegExp;
}

/**
 * Finds routes by the end of a URL's path, so that the same handler works under any mount, whether or not the framework
 * takes the mount off. Given a `basePath`, only what stands under it, or has had it taken off, is found.
 */
export function createRouteFinder(
  routes: readonly { readonly method: Method; readonly path: string }[],
  basePath?: string,
): (pathname: string) => FoundPath | null {
  const patterns = [...Map.groupBy(routes, (route) => route.path)].map(([path, same]): Pattern => {
    const expression = path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    return { path, methods: same.map((route) => route.method), match: new RegExp(`^${expression}/?$`) };
  });
  const base = toBase(basePath);
  const mostSegments = Math.max(...routes.map(({ path }) => path.split("/").length));

  return (pathname) => {
    for (const at of startsOf(pathname, { base, mostSegments })) {
      const rest = pathname.slice(at);
      for (const { path, methods, match } of patterns) {
        const found = match.exec(rest);
        if (found !== null) return { path, methods, mount: pathname.slice(0, at), ids: found.groups ?? {} };
      }
    }
    return null;
  };
}

/** The places a route can begin at. The earliest that reads as a whole route wins: `/conversations/me` is a chat, never `/me`. */
function startsOf(
  pathname: string,
  { base, mostSegments }: { readonly base: string | null; readonly mostSegments: number },
): readonly number[] {
  if (base !== null) return pathname.startsWith(`${base}/`) ? [base.length, 0] : [0];
  const starts: number[] = [];
  // No route is longer: a stranger's address of thousands of slashes is not tried at each.
  for (let at = pathname.lastIndexOf("/"); at !== -1 && starts.length <= mostSegments;) {
    starts.unshift(at);
    at = at === 0 ? -1 : pathname.lastIndexOf("/", at - 1);
  }
  return starts;
}

function toBase(basePath: string | undefined): string | null {
  if (basePath === undefined) return null;
  if (!basePath.startsWith("/"))
    throw new Error(`countersign: basePath: expected a path like "/assistant", got ${JSON.stringify(basePath)}.`);
  return basePath.replace(/\/+$/, "");
}
