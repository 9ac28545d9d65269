/**
 * A map that keeps at most `size` entries: at least the half of them used last. Two maps, of which the older is dropped
 * when the newer is full: what is found in the newer one, as nearly everything is, costs one look and moves nothing.
 */
export function lru<V>(size: number): { get(key: string): V | undefined; set(key: string, value: V): V } {
  let newer = new Map<string, V>();
  let older = new Map<string, V>();
  const set = (key: string, value: V): V => {
    if (newer.size >= size / 2) {
      older = newer;
      newer = new Map();
    }
    newer.set(key, value);
    return value;
  };
  return {
    get(key) {
      const value = newer.get(key);
      if (value !== undefined) return value;
      const before = older.get(key);
      return before === undefined ? undefined : set(key, before);
    },
    set,
  };
}
