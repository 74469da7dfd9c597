/** Values that were read a short time ago. */
export interface Remembered<Value> {
  /** The value that was asked for less than `keepMs` ago, or else what `read` answers; readers at once share one. */
  get(key: string, read: () => Promise<Value>): Promise<Value>;
  /** What `read` answers now, for those who come after too. */
  renew(key: string, read: () => Promise<Value>): Promise<Value>;
  /** From now on everything is read again, and what is being read is not kept. */
  forget(): void;
}

/** Makes such a memory of at most `most` values; the one that was asked for longest ago leaves first. */
export function createRemembered<Value>(options: {
  readonly keepMs: number;
  readonly most: number;
  readonly now: () => number;
}): Remembered<Value> {
  const { keepMs, most, now } = options;
  const entries = new Map<string, { readonly askedAt: number; readonly value: Promise<Value> }>();

  function renew(key: string, read: () => Promise<Value>): Promise<Value> {
    // Counted from the question: what it answers may be older than its arrival.
    const entry = { askedAt: now(), value: read() };
    entries.delete(key);
    entries.set(key, entry);
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    const oldest = entries.size > most ? entries.keys().next() : undefined;
    if (oldest?.done === false) entries.delete(oldest.value);
    return entry.value;
  }

  return {
    get(key, read) {
      const known = entries.get(key);
      return known !== undefined && now() - known.askedAt < keepMs ? known.value : renew(key, read);
    },
    renew,
    forget: () => entries.clear(),
  };
}
