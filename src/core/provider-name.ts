/** The name providers take for a tool: `billing.invoice_void` as `billing__invoice_void`. */
export function toProviderName(registryName: string): string {
  return registryName.replace(".", "__");
}

/** The registry name behind a provider's name, or null when it cannot be one. Turns `toProviderName` back exactly: no part of a name holds two underscores in a row. */
export function toRegistryName(providerName: string): string | null {
  const at = providerName.indexOf("__");
  return at < 1 ? null : `${providerName.slice(0, at)}.${providerName.slice(at + 2)}`;
}

/** Whether every provider takes this name. */
export function isProviderName(name: string): boolean {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name);
}
