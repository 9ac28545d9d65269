/** A map that keeps the entries used last, up to `size`. */
export function lru<V>(size: number): { get(key: string): V | undefined; set(key: string, value: V): V } {
  const kept = new Map<string, V>();
  return {
    get(key) {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    set(key, value) {
      kept.set(key, value);
      if (kept.size > size) kept.delete(kept.keys().next().value ?? '');
      return value;
    },
  };
}
