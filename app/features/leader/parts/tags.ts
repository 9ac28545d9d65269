import { COMMUNITY_TAG_MAX, COMMUNITY_TAGS_MAX } from '../../../../server/contract/limits.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';

/** Typed tags, separated by commas or lines: lower case, without duplicates. */
export const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((tag) => tag.trim().toLowerCase())
      .filter(Boolean),
  ),
];

/** Their problem, or null. */
export const tagsWrong = (tags: readonly string[]): string | null =>
  tags.length > COMMUNITY_TAGS_MAX || tags.some((tag) => tag.length > COMMUNITY_TAG_MAX)
    ? m.member_tags_many({ n: number(COMMUNITY_TAGS_MAX), letters: number(COMMUNITY_TAG_MAX) })
    : null;
