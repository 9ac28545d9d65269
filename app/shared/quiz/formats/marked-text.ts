/**
 * Text that says how it is formatted, as GIFT has it (`[html]<b>Fog</b>`): a person reads its words here, without bold type,
 * links or pictures. Pure.
 */
export const FORMATS = ['moodle', 'html', 'plain', 'markdown'] as const;
export type TextFormat = (typeof FORMATS)[number];

/** A text with the format that it names at its beginning; the one given where it names none that there is. */
export function formatOf(text: string, otherwise: TextFormat): { format: TextFormat; body: string } {
  const named = FORMATS.find((one) => text.startsWith(`[${one}]`));
  return named ? { format: named, body: text.slice(named.length + 2) } : { format: otherwise, body: text };
}

/** From so many characters on a text is too long for any question, and left as it is. */
const LONG = 5_000;
const BREAK = / ?<br(?:\s[^<>]*)?\/?> ?/gi;
/** Paragraphs and the like; several in a row part the text once. */
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

/** The words of a formatted text; `isLess` where formatting was left out that a person would have seen. */
export function wordsOf(text: string, format: TextFormat): { words: string; isLess: boolean } {
  if (format === 'plain' || text.length > LONG) return { words: text, isLess: false };
  if (format === 'markdown') {
    const words = withoutMarks(text);
    return { words, isLess: words !== text };
  }
  // In HTML the ends of lines of its source are blanks; Moodle's own format keeps them.
  const flowing = format === 'html' ? text.replace(/\s+/g, ' ') : text;
  const broken = flowing.replace(BREAK, '\n').replace(BLOCKS, '\n');
  const bare = broken.replace(OTHERS, '');
  return { words: bare.replace(/&(#?\w{1,8});/g, entity), isLess: bare !== broken };
}

/** What Markdown marks as strong, as code, as a heading or as a link. */
const withoutMarks = (text: string): string =>
  text
    .replace(/^#{1,6} +/gm, '')
    .replace(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^*_\n]+)\1/g, '$2')
    .replace(/(?<![\w*])([*_])(?=\S)([^*_\n]+)\1(?!\w)/g, '$2')
    .replace(/`([^`\n]+)`/g, '$1');
