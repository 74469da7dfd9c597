/** An external store of immutable states. Changes told `soon` reach listeners together, at most once in `everyMs`. */
export interface Store<State> {
  /** The state as it is, told or not. */
  get(): State;
  /** The state as listeners know it: the same object until they are told. */
  getSnapshot(): State;
  subscribe(listener: () => void): () => void;
  update(change: (state: State) => State): void;
  updateSoon(change: (state: State) => State): void;
}

export function createStore<State>(initial: State, everyMs: number): Store<State> {
  const listeners = new Set<() => void>();
  let current = initial;
  let told = initial;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    if (told === current) return;
    told = current;
    for (const listener of listeners) listener();
  }

  return {
    get: () => current,
    getSnapshot: () => told,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update(change) {
      current = change(current);
      tell();
    },
    updateSoon(change) {
      current = change(current);
      if (told !== current) timer ??= setTimeout(tell, everyMs);
    },
  };
}
