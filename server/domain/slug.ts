import { SLUG_MAX, SLUG_MIN } from '../contract/limits.ts';
import { asciiSkeleton } from './look-alikes.ts';

export type SlugProblem = 'SLUG_INVALID' | 'SLUG_RESERVED';

const SHAPE = new RegExp(`^[a-z0-9-]{${SLUG_MIN},${SLUG_MAX}}$`);
/** No letter at all, hyphens where they read badly, or 32 hex digits, which PostgreSQL would read as an id. */
const UNUSABLE = /^[\d-]+$|^-|-$|--|^[\da-f]{32}$/;

/**
 * A community's address from what its leader typed: NFKC, lower case. Rejected unless 3 to 32 of `[a-z0-9-]` with a
 * letter, and when it is, or looks like, one of `reserved`. Other scripts are rejected, so no look-alike is possible.
 */
export function readSlug(typed: string, reserved: ReadonlySet<string>): { slug: string } | { problem: SlugProblem } {
  const slug = typed.normalize('NFKC').toLowerCase();
  if (reserved.has(slug)) return { problem: 'SLUG_RESERVED' };
  if (!SHAPE.test(slug) || UNUSABLE.test(slug)) return { problem: 'SLUG_INVALID' };
  const seen = asciiSkeleton(slug);
  for (const word of reserved) if (asciiSkeleton(word) === seen) return { problem: 'SLUG_RESERVED' };
  return { slug };
}
