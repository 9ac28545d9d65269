/** Text with a format prefix as in GIFT (`[html]<b>Fog</b>`), reduced to its words. Pure. */
export const FORMATS = ['moodle', 'html', 'plain', 'markdown'] as const;
export type TextFormat = (typeof FORMATS)[number];

/** A text and the format that it names at its start; `otherwise` when it names no known one. */
export function formatOf(text: string, otherwise: TextFormat): { format: TextFormat; body: string } {
  const named = FORMATS.find((one) => text.startsWith(`[${one}]`));
  return named ? { format: named, body: text.slice(named.length + 2) } : { format: otherwise, body: text };
}

/** Longer texts exceed any question's limit and stay unchanged. */
const LONG = 5_000;
const BREAK = / ?<br(?:\s[^<>]*)?\/?> ?/gi;
/** Block elements; a run of them is one break. */
const BLOCKS = /(?: ?<\/?(?:p|div|li|ul|ol|tr|table|h[1-6]|hr|blockquote|pre)(?:\s[^<>]*)?\/?> ?)+/gi;
const OTHERS =
  /<\/?(?:a|abbr|audio|b|big|center|cite|code|dd|dl|dt|em|font|i|iframe|img|kbd|mark|q|s|samp|small|source|span|strong|strike|sub|sup|tbody|td|tfoot|th|thead|tt|u|var|video)(?:\s[^<>]*)?\/?>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', hellip: '…', ndash: '–', mdash: '—', deg: '°' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', times: '×', divide: '÷', minus: '−' },
  ...{ euro: '€', pound: '£', copy: '©', middot: '·', bull: '•', plusmn: '±', le: '≤', ge: '≥', ne: '≠', pi: 'π' },
};
const entity = (whole: string, name: string): string => {
  const code = /^#x([0-9a-f]{1,6})$/i.exec(name)?.[1] ?? '';
  const number = code === '' ? Number(/^#(\d{1,7})$/.exec(name)?.[1]) : Number.parseInt(code, 16);
  if (number > 0 && number <= 0x10ffff && !(number >= 0xd800 && number < 0xe000)) return String.fromCodePoint(number);
  return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole;
};

/** The words of a formatted text; `isLess` when visible formatting was left out. */
export function wordsOf(text: string, format: TextFormat): { words: string; isLess: boolean } {
  if (format === 'plain' || text.length > LONG) return { words: text, isLess: false };
  if (format === 'markdown') {
    const words = withoutMarks(text);
    return { words, isLess: words !== text };
  }
  // HTML source line breaks are spaces; Moodle's own format keeps them.
  const flowing = format === 'html' ? text.replace(/\s+/g, ' ') : text;
  const broken = flowing.replace(BREAK, '\n').replace(BLOCKS, '\n');
  const bare = broken.replace(OTHERS, '');
  return { words: bare.replace(/&(#?\w{1,8});/g, entity), isLess: bare !== broken };
}

/** Removes Markdown's marks for strong text, code, headings and links. */
const withoutMarks = (text: string): string =>
  text
    .replace(/^#{1,6} +/gm, '')
    .replace(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^*_\n]+)\1/g, '$2')
    .replace(/(?<![\w*])([*_])(?=\S)([^*_\n]+)\1(?!\w)/g, '$2')
    .replace(/`([^`\n]+)`/g, '$1');
