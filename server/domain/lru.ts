/**
 * A map with at most `size` entries, at least the half used last. It consists of two maps; the older one is dropped
 * when the newer one is full. Finding an entry in the newer one, as nearly always, is one lookup and moves nothing.
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
