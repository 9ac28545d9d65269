import type { CommunitySummary } from '../../../server/contract/community.ts';

/** What somebody looks for in the directory; empty text matches everything. */
export type Search = { text: string; tag: string; language: string };

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Communities in which every word of the text occurs (name, description, address, tags), with the tag and the language. */
export function matching(communities: readonly CommunitySummary[], search: Search): CommunitySummary[] {
  const words = plain(search.text).split(/\s+/).filter(Boolean);
  return communities.filter((community) => {
    const { name, description, slug, tags, languages } = community;
    if (search.tag !== '' && !tags.includes(search.tag)) return false;
    if (search.language !== '' && !languages.includes(search.language)) return false;
    const all = plain([name, description, slug, ...tags].join(' '));
    return words.every((word) => all.includes(word));
  });
}

/** Values to filter by, the commonest first. */
export function choicesOf(lists: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const value of lists.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || a.localeCompare(b)).map(([value]) => value);
}
