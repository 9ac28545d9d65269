/**
 * Text for Telegram: plain text with marks for bold, italic, code and links, parsed into parts; its length for
 * Telegram, and the HTML of its parse mode (https://core.telegram.org/bots/api#html-style).
 * `**bold**`, `_italic_`, `` `code` ``, `[words](https://…)`; a backslash before a mark escapes it.
 */
export type TelegramPart =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'bold' | 'italic'; parts: TelegramPart[] }
  | { kind: 'link'; url: string; parts: TelegramPart[] };

/** Limits of the Bot API: `sendMessage` and a picture's caption, counted after parsing entities. */
export const TELEGRAM_LIMITS = { message: 4_096, caption: 1_024 } as const;
export type TelegramKind = keyof typeof TELEGRAM_LIMITS;

const SIGNS =
  /\\(?<escaped>[\\*_`[\]])|\*\*(?<bold>(?!\s)(?:\\.|[^\\])+?)(?<!\s)\*\*(?!\*)|(?<![\p{L}\p{N}_])_(?<italic>(?![\s_])(?:\\.|[^\\_])+?)(?<!\s)_(?![\p{L}\p{N}_])|`(?<code>[^`\n]+)`|\[(?<words>(?:\\.|[^\]\\\n])+)\]\((?<url>(?:https?|tg):\/\/[^\s()]+)\)/gsu;

/** The parts of a text. An unpaired mark is plain text. */
export function partsOfTelegram(source: string): TelegramPart[] {
  const parts: TelegramPart[] = [];
  const addText = (text: string) => {
    const last = parts.at(-1);
    if (last?.kind === 'text') last.text += text;
    else if (text !== '') parts.push({ kind: 'text', text });
  };
  let at = 0;
  for (const match of source.matchAll(SIGNS)) {
    addText(source.slice(at, match.index));
    at = match.index + match[0].length;
    const { escaped, bold, italic, code, words, url } = match.groups ?? {};
    if (escaped !== undefined) addText(escaped);
    else if (bold !== undefined) parts.push({ kind: 'bold', parts: partsOfTelegram(bold) });
    else if (italic !== undefined) parts.push({ kind: 'italic', parts: partsOfTelegram(italic) });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (words !== undefined && url !== undefined) parts.push({ kind: 'link', url, parts: partsOfTelegram(words) });
  }
  addText(source.slice(at));
  return parts;
}

/** The text without marks. */
export const plainOf = (parts: readonly TelegramPart[]): string =>
  parts.map((part) => ('text' in part ? part.text : plainOf(part.parts))).join('');

/** The text with each link's address after it, where links are not supported. */
export const plainWithLinks = (parts: readonly TelegramPart[]): string =>
  parts
    .map((part) => {
      if ('text' in part) return part.text;
      const words = plainWithLinks(part.parts);
      return part.kind === 'link' && words !== part.url ? `${words} (${part.url})` : words;
    })
    .join('');

/** UTF-16 code units of the text, trimmed as Telegram does. */
export const telegramLength = (parts: readonly TelegramPart[]): number => plainOf(parts).trim().length;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const TAGS = { bold: 'b', italic: 'i', code: 'code' } as const;

/** The text for `parse_mode: HTML`. */
export const telegramHtml = (parts: readonly TelegramPart[]): string =>
  parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return escapeHtml(part.text);
        case 'code':
          return `<code>${escapeHtml(part.text)}</code>`;
        case 'link':
          return `<a href="${escapeHtml(part.url)}">${telegramHtml(part.parts)}</a>`;
        default:
          return `<${TAGS[part.kind]}>${telegramHtml(part.parts)}</${TAGS[part.kind]}>`;
      }
    })
    .join('')
    .trim();

/** A text and its selection, as offsets. */
export type Chosen = { text: string; start: number; end: number };
export const MARKS = ['bold', 'italic', 'code', 'link'] as const;
export type Mark = (typeof MARKS)[number];
const AROUND: Record<Mark, readonly [string, string]> = {
  bold: ['**', '**'],
  italic: ['_', '_'],
  code: ['`', '`'],
  link: ['[', '](https://)'],
};

/**
 * Puts the marks of `kind` around the selection, or removes them. Afterwards the text is selected; in a link, its
 * address, which is still missing.
 */
export function withSigns({ text, start, end }: Chosen, kind: Mark): Chosen {
  const [open, close] = AROUND[kind];
  // Spaces at the edge stay outside: a mark beside a space opens nothing.
  const words = text.slice(start, end);
  const from = start + (words.length - words.trimStart().length);
  const to = Math.max(from, end - (words.length - words.trimEnd().length));
  const isThere = text.slice(from - open.length, from) === open && text.slice(to, to + close.length) === close;
  if (isThere && kind !== 'link')
    return {
      text: text.slice(0, from - open.length) + text.slice(from, to) + text.slice(to + close.length),
      start: from - open.length,
      end: to - open.length,
    };
  const next = text.slice(0, from) + open + text.slice(from, to) + close + text.slice(to);
  if (kind !== 'link') return { text: next, start: from + open.length, end: to + open.length };
  const address = to + open.length + '](https://'.length;
  return { text: next, start: address, end: address };
}
