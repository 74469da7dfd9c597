import { expect, test } from "vitest";
import { createAddressCheck, isPublicAddress, type AddressCheck, type Resolve } from "./address-check.ts";

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.100.100.200",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "fe80::1",
  "fc00::1",
  "fd00:ec2::254",
  "2002:7f00:1::",
  "2001:db8::1",
  "2001::1",
  "ff02::1",
  "not an address",
])("%s is not of the public internet", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"])("%s is", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const url = (text: string): URL => new URL(text);

test("a base URL that names a private address is refused, however it is written", () => {
  const check = createAddressCheck([]);
  for (const text of [
    "http://127.0.0.1:11434/v1",
    "http://2130706433/v1",
    "http://0x7f.1/v1",
    "http://[::1]/v1",
    "http://[::ffff:127.0.0.1]/v1",
    "http://169.254.169.254/latest",
    "ftp://example.com/",
    "file:///etc/passwd",
  ]) {
    expect(() => check.checkUrl(url(text)), text).toThrow(/not a public address|no protocol/);
  }
  expect(() => check.checkUrl(url("https://8.8.8.8/v1"))).not.toThrow();
});

test("allowPrivateEndpoints names a host, with its port or with any", () => {
  const check = createAddressCheck(["127.0.0.1:11434", "[::1]"]);
  expect(() => check.checkUrl(url("http://127.0.0.1:11434/v1"))).not.toThrow();
  expect(() => check.checkUrl(url("http://127.0.0.1:9999/v1"))).toThrow("allowPrivateEndpoints");
  expect(() => check.checkUrl(url("http://[::1]:8080/v1"))).not.toThrow();
});

function lookUp(check: AddressCheck, text: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  check.lookupFor(url(text))(url(text).hostname, { all: true }, (error, found) => {
    if (error === null) resolve(found);
    else reject(error);
  });
  return promise;
}

test("a name that leads to a private address is refused at the moment of connecting", async () => {
  const answers = [[{ address: "8.8.8.8", family: 4 }], [{ address: "127.0.0.1", family: 4 }]];
  const resolve: Resolve = async () => answers.shift() ?? [];
  const check = createAddressCheck([], resolve);
  expect(await lookUp(check, "https://rebound.example/v1")).toEqual([{ address: "8.8.8.8", family: 4 }]);
  await expect(lookUp(check, "https://rebound.example/v1")).rejects.toThrow("not a public address");
});

test("one private address among several is enough to refuse a name", async () => {
  const resolve: Resolve = async () => [
    { address: "8.8.8.8", family: 4 },
    { address: "fd00::1", family: 6 },
  ];
  await expect(lookUp(createAddressCheck([], resolve), "https://mixed.example")).rejects.toThrow("not a public");
  expect(await lookUp(createAddressCheck(["mixed.example"], resolve), "https://mixed.example")).toHaveLength(2);
});

test("a name without an address is an error of the network", async () => {
  await expect(
    lookUp(
      createAddressCheck([], async () => []),
      "https://none.example",
    ),
  ).rejects.toMatchObject({
    code: "ENOTFOUND",
  });
});
