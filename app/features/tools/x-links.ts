import tlds from 'tlds';
import type { Stretch } from './graphemes.ts';

/**
 * Links as X finds them in a post: with a protocol, or bare if the host ends in a known domain. Agrees with
 * twitter-text 3's conformance data (tests/support/x-conformance.json); docs/decisions/x.md lists the differences.
 */
export type Link = Stretch & { url: string };

/** Maximum length of a host label, also in its encoded form (RFC 1035, 2.3.4; RFC 3490, 4.1). */
const LABEL_MAX = 63;
const LINK_MAX = 4_096;
/** A short link of X ends after its code. */
const OWN_SHORT = /^https?:\/\/t\.co\/([a-z0-9]+)/i;
const OWN_SHORT_MAX = 40;

const DIRECTIONS = '\\u202A-\\u202E\\u061C\\u200E\\u200F\\u2066-\\u2069';
const NO_TEXT = '\\uFFFE\\uFEFF\\uFFFF';
/** Latin letters with accents, and combining marks. */
const LATIN =
  '\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F\\u0253-\\u0257\\u0259\\u025B\\u0263\\u0268\\u026F\\u0272\\u0289\\u028B\\u02BB\\u0300-\\u036F\\u1E00-\\u1EFF';
const PATH_LETTER = `a-z0-9\\u0400-\\u04FF${LATIN}`;

const HOST_LETTER = `[^\\s!'#%&()*+,\\\\\\-./:;<=>?@[\\]^_{|}~$\\u0085\\u180E${NO_TEXT}${DIRECTIONS}]`;
const label = (inside: string) =>
  `(?:${HOST_LETTER}(?:${inside}|${HOST_LETTER}){0,${LABEL_MAX - 2}})?${HOST_LETTER}\\.`;
const byLength = [...tlds].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
const domain = (notBefore: string) => `(?:(?:${byLength.join('|')}|onion)(?![${notBefore}])|xn--[-0-9a-z]+)`;
/** After a protocol a host may end before a hyphen, `http://a.com-and-more`; a bare one is then no link. */
const [DOMAIN, BARE_DOMAIN] = [domain('0-9a-z@+'), domain('0-9a-z@+-')];
const LABELS = `(?:${label('[_-]')})*${label('-')}`;

const PATH_SIGN = `[${PATH_LETTER}!*';:=+,.$/%#[\\]\\-–_~@|&]`;
const IN_BRACKETS = `\\((?:${PATH_SIGN}+|${PATH_SIGN}*\\(${PATH_SIGN}+\\)${PATH_SIGN}*)\\)`;
const PATH = `/(?:(?:${PATH_SIGN}|${IN_BRACKETS})*(?:[${PATH_LETTER}+\\-=_#/]|${IN_BRACKETS}))?`;
const QUERY = `\\?[a-z0-9!?*'@();:&=+$/%#[\\]\\-_.,~|]*[a-z0-9\\-_&=#/]`;

const LINK = new RegExp(
  `(?<before>[^a-z0-9@＠$#＃${NO_TEXT}]|^)(?:(?<protocol>https?://)(?<host>${LABELS}${DOMAIN})|(?<bare>${LABELS}${BARE_DOMAIN}))(?::[0-9]+)?(?<path>${PATH})?(?:${QUERY})?`,
  'giu',
);
/** A bare host starts at its first plain letter: `これはexample.com`. */
const BARE_HOST = new RegExp(`(?:[-a-z0-9${LATIN}]+\\.)+${BARE_DOMAIN}`, 'giu');
const SHORT_QUERY = new RegExp(`^${QUERY}`, 'iu');

/** The links of a text in order; offsets are UTF-16 units. */
export function linksOf(text: string): Link[] {
  if (!text.includes('.')) return [];
  const found: Link[] = [];
  for (const match of text.matchAll(LINK)) {
    const { before = '', protocol = '', bare, host = bare ?? '', path } = match.groups ?? {};
    const start = match.index + before.length;
    const url = match[0].slice(before.length);
    if (url.length + (protocol || 'https://').length > LINK_MAX || !isHost(host)) continue;
    if (protocol !== '') found.push(...withProtocol(url, start));
    else if (!/[-_./]$/.test(before)) found.push(...withoutProtocol(host, path === undefined ? null : url, start));
  }
  return found;
}

function withProtocol(url: string, start: number): Link[] {
  const short = OWN_SHORT.exec(url);
  if (!short) return [{ url, start, end: start + url.length }];
  if ((short[1] ?? '').length > OWN_SHORT_MAX) return [];
  const cut = short[0] + (SHORT_QUERY.exec(url.slice(short[0].length))?.[0] ?? '');
  return [{ url: cut, start, end: start + cut.length }];
}

/** @param whole the link with its path, which belongs to the last host; null without one */
function withoutProtocol(host: string, whole: string | null, start: number): Link[] {
  const hosts = [...host.matchAll(BARE_HOST)].map((match) => ({ url: match[0], start: start + match.index }));
  return hosts.map((one, at) => {
    const url = whole !== null && at === hosts.length - 1 ? whole.slice(one.start - start) : one.url;
    return { url, start: one.start, end: one.start + url.length };
  });
}

/** Whether every label of a host has a valid length. */
function isHost(host: string): boolean {
  if (host.startsWith('xn--') && host.search(BARE_HOST) < 0) return false;
  return host.split('.').every((one) => {
    const length = encodedLength(one);
    return length > 0 && length <= LABEL_MAX;
  });
}

/** Length of a label in ASCII (RFC 3492); full stops of other scripts separate labels, too. */
function encodedLength(text: string): number {
  const parts = text.split(/[\u3002\uFF0E\uFF61]/);
  const lengths = parts.map((part) => (/[^\x20-\x7E]/.test(part) ? 'xn--'.length + punycodeLength(part) : part.length));
  return lengths.reduce((sum, length) => sum + length, parts.length - 1);
}

/** Length of a text in Punycode: the procedure of RFC 3492, 6.3, counting its digits instead of writing them. */
function punycodeLength(text: string): number {
  const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700];
  const points = [...text].map((sign) => sign.codePointAt(0) ?? 0);
  const plain = points.filter((point) => point < 0x80).length;
  let length = plain > 0 ? plain + 1 : 0;
  let [next, delta, bias, handled] = [0x80, 0, 72, plain];
  while (handled < points.length) {
    const least = Math.min(...points.filter((point) => point >= next));
    delta += (least - next) * (handled + 1);
    next = least;
    for (const point of points) {
      if (point < next) delta += 1;
      if (point !== next) continue;
      let rest = delta;
      for (let k = BASE; ; k += BASE) {
        const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
        length += 1;
        if (rest < threshold) break;
        rest = Math.floor((rest - threshold) / (BASE - threshold));
      }
      let by = Math.floor(delta / (handled === plain ? DAMP : 2));
      by += Math.floor(by / (handled + 1));
      let k = 0;
      for (; by > Math.floor(((BASE - T_MIN) * T_MAX) / 2); k += BASE) by = Math.floor(by / (BASE - T_MIN));
      bias = k + Math.floor(((BASE - T_MIN + 1) * by) / (by + SKEW));
      delta = 0;
      handled += 1;
    }
    delta += 1;
    next += 1;
  }
  return length;
}
