import { linksOf } from './x-links.ts';

/** X's length of a post: twitter-text's configuration v3, https://docs.x.com/fundamentals/counting-characters. */
const SCALE = 100;
const LINK_LENGTH = 23;
const USUAL_WEIGHT = 200;
const LIGHT = [
  [0, 4_351],
  [8_192, 8_205],
  [8_208, 8_223],
  [8_242, 8_247],
] as const;
const LIGHT_WEIGHT = 100;

/** Limits of free and paying accounts, in weighted characters. */
export const X_POST_MAX = 280;
export const X_LONG_POST_MAX = 25_000;

/** Characters that X refuses in posts. */
const REFUSED = /[\uFFFE\uFEFF\uFFFF]/;

/**
 * An emoji sequence counts once: flags, keycaps, skin tones, tags, joined ones (UTS #51, 1.4.9). A text character that
 * a selector turns into an emoji (`©`, `☺`) counts once with it, and by its own weight without.
 */
const TAGS = '(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?';
/** Emoji that were text characters first: phones add the selector to them, too. After a newer one it counts. */
const SIGNS_FIRST =
  '[\\u231A\\u231B\\u25FD\\u25FE\\u2614\\u2615\\u2648-\\u2653\\u267F\\u2693\\u26A1\\u26AA\\u26AB\\u26BD\\u26BE\\u26C4\\u26C5\\u26D4\\u26EA\\u26F2\\u26F3\\u26F5\\u26FA\\u26FD\\u2757\\u2B1B\\u2B1C\\u2B50\\u2B55\\u{1F004}\\u{1F21A}\\u{1F22F}]';
/** Shown as an emoji by default, by a skin tone, or by the emoji selector. */
const SHOWN = `(?:${SIGNS_FIRST}\\uFE0F|\\p{Emoji_Presentation}(?!\\uFE0E)\\p{EMod}?|\\p{Emoji}(?:\\p{EMod}|\\uFE0F))`;
const JOINED = `(?![#*0-9]|\\p{RI})(?:${SHOWN}|\\p{Emoji})`;
const ELEMENT = `(?![#*0-9])(?:${SHOWN}|\\p{Emoji}(?=\\u200D${JOINED}))${TAGS}`;
const EMOJI = new RegExp(`\\p{RI}\\p{RI}|[#*0-9]\\uFE0F?\\u20E3|${ELEMENT}(?:\\u200D${JOINED})*`, 'gu');

const weightOf = (point: number): number =>
  LIGHT.some(([first, last]) => point >= first && point <= last) ? LIGHT_WEIGHT : USUAL_WEIGHT;

/** Weight of a text without links, in hundredths. */
function plainWeight(text: string): number {
  let weight = 0;
  const rest = text.replace(EMOJI, () => {
    weight += USUAL_WEIGHT;
    return '';
  });
  for (const sign of rest) weight += weightOf(sign.codePointAt(0) ?? 0);
  return weight;
}

/** A post's length as X counts it: a link is 23, an emoji 2, most letters 1, East Asian ones 2. */
export function xLength(text: string): number {
  const written = text.normalize();
  let [weight, at] = [0, 0];
  for (const { start, end } of linksOf(written)) {
    weight += plainWeight(written.slice(at, start)) + LINK_LENGTH * SCALE;
    at = end;
  }
  return (weight + plainWeight(written.slice(at))) / SCALE;
}

/** Whether X accepts a text as a post of at most `limit` weighted characters. */
export function isPost(text: string, limit: number = X_POST_MAX): boolean {
  const length = xLength(text);
  return length > 0 && length <= limit && !REFUSED.test(text);
}

/** A text in parts for a preview: plain text, links, mentions, hashtags and cashtags. */
export type Part = { kind: 'text' | 'link' | 'tag'; text: string };
const TAG =
  /(?<![\p{L}\p{N}_@#$&/])(?:[@＠][A-Za-z0-9_]{1,20}(?![A-Za-z0-9_])|[#＃][\p{L}\p{M}\p{N}_]*[\p{L}\p{M}][\p{L}\p{M}\p{N}_]*|\$[A-Za-z]{1,6}(?![\w]))/gu;

export function partsOf(text: string): Part[] {
  const links = linksOf(text);
  const tags = [...text.matchAll(TAG)]
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
    .filter((tag) => !links.some((link) => tag.start < link.end && link.start < tag.end));
  const marked = [
    ...links.map(({ start, end }) => ({ start, end, kind: 'link' as const })),
    ...tags.map(({ start, end }) => ({ start, end, kind: 'tag' as const })),
  ].sort((a, b) => a.start - b.start);
  const parts: Part[] = [];
  let at = 0;
  for (const { kind, start, end } of marked) {
    if (start > at) parts.push({ kind: 'text', text: text.slice(at, start) });
    parts.push({ kind, text: text.slice(start, end) });
    at = end;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** X's page for a prefilled post: https://docs.x.com/x-for-websites/web-intents/overview. */
export const intentUrl = (text: string): string => `https://x.com/intent/post?text=${encodeURIComponent(text)}`;
