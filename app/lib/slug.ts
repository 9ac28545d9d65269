import { SLUG_MAX, SLUG_MIN } from '../../server/contract/limits.ts';
import { reservedNames } from '../../server/contract/pages.ts';

/** Suggests an address from a community's name: `Ridge & Valley` gives `ridge-and-valley`. */
export function suggestSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/&/g, ' and ')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (plain.length <= SLUG_MAX) return plain;
  // Cut between words where enough remains to read.
  const cut = plain.slice(0, SLUG_MAX + 1);
  const end = cut.lastIndexOf('-');
  return end >= SLUG_MIN ? cut.slice(0, end) : cut.slice(0, SLUG_MAX);
}

export type SlugProblem = 'short' | 'long' | 'characters' | 'hyphens' | 'numeric' | 'reserved';

/** Why an address cannot be used, as far as the device can tell; the server decides. */
export function slugProblem(slug: string, productSlug: string): SlugProblem | null {
  if (!/^[a-z0-9-]*$/.test(slug)) return 'characters';
  if (slug.length < SLUG_MIN) return 'short';
  if (slug.length > SLUG_MAX) return 'long';
  if (/^-|-$|--/.test(slug)) return 'hyphens';
  if (/^\d+$/.test(slug)) return 'numeric';
  return reservedNames(productSlug).has(slug) ? 'reserved' : null;
}
