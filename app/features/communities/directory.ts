import type { DirectoryQuery } from '../../../server/contract/communities.ts';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { DIRECTORY_PAGE, SEARCH_MAX } from '../../../server/contract/limits.ts';

/** Members of each size: from, and below. */
const SIZES = { small: [0, 50], middle: [50, 500], large: [500, Number.POSITIVE_INFINITY] } as const;
export const SIZE_NAMES = Object.keys(SIZES) as (keyof typeof SIZES)[];
const isSize = (name: string): name is keyof typeof SIZES => Object.hasOwn(SIZES, name);

/** The part of a search for the server when the directory's copy is cut off at the largest communities; or null. */
export function beyondCut(communities: readonly CommunitySummary[], search: Search): DirectoryQuery | null {
  if (communities.length < DIRECTORY_PAGE) return null;
  const { text, tag, language, size } = search;
  const below = isSize(size) ? SIZES[size][1] : Number.POSITIVE_INFINITY;
  const cut = (value: string) => value.trim().slice(0, SEARCH_MAX) || undefined;
  const sought = {
    search: cut(text),
    tag: cut(tag),
    language: cut(language),
    ...(Number.isFinite(below) && { below: String(below) }),
  };
  return Object.values(sought).some((value) => value !== undefined) ? sought : null;
}

/** A directory search; empty text matches everything. */
export type Search = { text: string; tag: string; language: string; size: string };

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Communities with every word of the text (in name, description, address, tags), the tag and the language. */
export function matching(communities: readonly CommunitySummary[], search: Search): CommunitySummary[] {
  const words = plain(search.text).split(/\s+/).filter(Boolean);
  return communities.filter((community) => {
    const { name, description, slug, tags, languages, members } = community;
    const [from, below] = isSize(search.size) ? SIZES[search.size] : [0, Number.POSITIVE_INFINITY];
    if (members < from || members >= below) return false;
    if (search.tag !== '' && !tags.includes(search.tag)) return false;
    if (search.language !== '' && !languages.includes(search.language)) return false;
    const all = plain([name, description, slug, ...tags].join(' '));
    return words.every((word) => all.includes(word));
  });
}

const BY: Record<string, (a: CommunitySummary, b: CommunitySummary) => number> = {
  tasks: (a, b) => b.openTasks - a.openTasks,
  members: (a, b) => b.members - a.members,
  name: () => 0,
};
/** Sorted by `tasks`, `members` or `name`, with ties by name; any other order leaves them unchanged. */
export function ordered(communities: readonly CommunitySummary[], order: string): CommunitySummary[] {
  const by = Object.hasOwn(BY, order) ? BY[order] : undefined;
  return by ? communities.toSorted((a, b) => by(a, b) || a.name.localeCompare(b.name)) : [...communities];
}

/** Filter values, the most common first. */
export function choicesOf(lists: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const value of lists.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || a.localeCompare(b)).map(([value]) => value);
}
