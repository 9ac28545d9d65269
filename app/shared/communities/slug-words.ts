import { SLUG_MAX, SLUG_MIN } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import type { SlugProblem } from '../../lib/slug.ts';
import { m } from '../../paraglide/messages.js';

const WORDS: Record<SlugProblem, () => string> = {
  short: () => m.member_slug_short({ n: number(SLUG_MIN) }),
  long: () => m.member_slug_long({ n: number(SLUG_MAX) }),
  characters: m.member_slug_characters,
  hyphens: m.member_slug_hyphens,
  numeric: m.member_slug_numeric,
  reserved: m.member_slug_reserved,
};
/** Why an address cannot be used, and what would be valid. */
export const slugWords = (problem: SlugProblem): string => WORDS[problem]();
