import { COMMUNITY_TAG_MAX, COMMUNITY_TAGS_MAX } from '../../../../server/contract/limits.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';

/** Tags as they are typed, with commas or on lines of their own: small letters, each once. */
export const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((tag) => tag.trim().toLowerCase())
      .filter(Boolean),
  ),
];

/** What is wrong with them, or null. */
export const tagsWrong = (tags: readonly string[]): string | null =>
  tags.length > COMMUNITY_TAGS_MAX || tags.some((tag) => tag.length > COMMUNITY_TAG_MAX)
    ? m.member_tags_many({ n: number(COMMUNITY_TAGS_MAX), letters: number(COMMUNITY_TAG_MAX) })
    : null;
