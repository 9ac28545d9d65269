/**
 * What a terminal, a spreadsheet or an editor would obey or show as something else: C0 but tab and line feed, DEL, C1,
 * line separators, bidi controls, zero-width and tag characters (threat model, row E4).
 */
const UNSAFE =
  /(?![\t\n])\p{Cc}|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const written = (char: string): string => {
  const point = char.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`;
};

/** Text that means nothing but itself; what it must not contain is spelled out as `\u001b`. */
export const inert = (text: string): string => text.replace(UNSAFE, written);

/** The same on one line. */
export const inertLine = (text: string): string =>
  inert(text).replace(/[\t\n]/g, (char) => (char === '\n' ? '\\n' : '\\t'));

/** JSON on one line, inert; parses back to the very same value, as every escape is JSON's own. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (char) =>
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
