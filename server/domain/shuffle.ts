import { createHash } from 'node:crypto';

/** The items in an order that the seed alone decides. */
export function shuffled<T>(items: readonly T[], seed: string): T[] {
  const sortKey = (index: number) => createHash('sha256').update(`${seed}\n${index}`).digest('hex');
  return items
    .map((item, index) => ({ item, place: sortKey(index) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ item }) => item);
}
