import dns from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { StreamFault } from "./stream-fault.ts";

const inward = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT, and a cloud's metadata
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // link-local, and most clouds' metadata
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  inward.addSubnet(net, bits, "ipv4");
}

// of IPv6 only the global unicast block is public, and these of it are not
const outward = new BlockList();
outward.addSubnet("2000::", 3, "ipv6");
for (const [net, bits] of [
  ["2001::", 23], // protocol assignments, Teredo among them
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4 carries an IPv4 address
  ["3fff::", 20],
] as const) {
  inward.addSubnet(net, bits, "ipv6");
}

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !inward.check(address, "ipv4");
  // an IPv4 address written as IPv6 lies outside 2000::/3, and so is refused in that form
  return version === 6 && outward.check(address, "ipv6") && !inward.check(address, "ipv6");
}

/** Decides which addresses may be connected to. */
export interface AddressCheck {
  /** Throws when the URL's own text names an address that may not be reached. */
  checkUrl(url: URL): void;
  /** Resolves a name at the moment of connecting and answers only addresses that may be reached: what was checked is what is connected to. */
  lookupFor(url: URL): LookupFunction;
}

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly dns.LookupAddress[]>;

/** `allowed` names hosts, with or without a port (`localhost:11434`, `[::1]`), whose addresses may be private. */
export function createAddressCheck(
  allowed: readonly string[],
  resolve: Resolve = (name) => dns.promises.lookup(name, { all: true, verbatim: true }),
): AddressCheck {
  const names = new Set(allowed.map((name) => name.trim().toLowerCase()));
  const isAllowed = (url: URL): boolean =>
    names.has(url.hostname) || names.has(`${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`);
  const refusal = (url: URL): StreamFault =>
    new StreamFault("address", `${url.host} is not a public address and allowPrivateEndpoints does not name it`);
  return {
    checkUrl: (url) => {
      if (url.protocol !== "http:" && url.protocol !== "https:") {
        throw new StreamFault("address", `${url.protocol} is no protocol of an endpoint`);
      }
      const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
      if (isIP(literal) !== 0 && !isPublicAddress(literal) && !isAllowed(url)) throw refusal(url);
    },
    lookupFor: (url) => (name, options, answer) => {
      resolve(name).then(
        (found) => {
          const fit = found.filter(
            ({ family }) => !options.family || `IPv${family}` === `IPv${String(options.family).replace("IPv", "")}`,
          );
          const refused = !isAllowed(url) && found.some(({ address }) => !isPublicAddress(address));
          const first = fit[0];
          if (refused) answer(refusal(url), "", 0);
          else if (first === undefined) answer(notFound(name), "", 0);
          else if (options.all) answer(null, [...fit]);
          else answer(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => answer(error, "", 0),
      );
    },
  };
}

function notFound(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address of ${name}`), { code: "ENOTFOUND" });
}
