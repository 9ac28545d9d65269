import type { Encoding } from '../../server/contract/import-limits.ts';

/** Where sets of letters are changed within a text; Japanese in bytes of seven bits (RFC 1468). */
const [TO_KANJI, TO_ASCII] = [
  [27, 36, 66],
  [27, 40, 66],
];

/** Every letter that an encoding has for one byte or two, other than ASCII's, with its bytes: what its decoder reads, turned round. */
function tableOf(encoding: Encoding): Map<string, number[]> {
  const table = new Map<string, number[]>();
  const wide = encoding === 'iso-2022-jp';
  const read = (bytes: number[]) => {
    const decoder = new TextDecoder(encoding, { fatal: true });
    try {
      const given = wide ? [...TO_KANJI, ...bytes, ...TO_ASCII] : bytes;
      return decoder.decode(Uint8Array.from(given), { stream: true }) + decoder.decode();
    } catch {
      return '';
    }
  };
  const add = (bytes: number[]) => {
    const text = read(bytes);
    // Letters that are never seen are no part of a name.
    const isSeen = /^\p{L}$/u.test(text) && !/\p{Default_Ignorable_Code_Point}/u.test(text);
    if (isSeen && !table.has(text)) table.set(text, bytes);
  };
  for (let one = wide ? 0x30 : 0x80; one < 0x100; one += 1) {
    if (!wide) add([one]);
    if (!table.has(read([one])) && MANY.has(encoding)) for (let two = 0x21; two < 0xff; two += 1) add([one, two]);
  }
  return table;
}
const MANY: ReadonlySet<Encoding> = new Set(['shift_jis', 'gb18030', 'euc-kr', 'big5', 'euc-jp', 'iso-2022-jp']);

/** Writes texts as programs of before wrote them: browsers and Node only read these. `letters` are those other than ASCII's. */
export function encoderOf(encoding: Encoding): {
  letters: string[];
  encode: (text: string) => Uint8Array<ArrayBuffer>;
} {
  if (encoding.startsWith('utf')) {
    const letters = [...'éßŁЖяדعไ田中の김ſ𠮷😀'];
    return { letters, encode: (text) => unicode(text, encoding) };
  }
  const table = tableOf(encoding);
  const encode = (text: string) => {
    const bytes: number[] = [];
    let isWide = false;
    for (const letter of text) {
      const known = table.get(letter);
      const code = letter.charCodeAt(0);
      if (!known && code > 0x7e) throw new Error(`${encoding} has no ${letter}`);
      if (encoding === 'iso-2022-jp' && isWide !== Boolean(known)) bytes.push(...(known ? TO_KANJI : TO_ASCII));
      isWide = Boolean(known);
      bytes.push(...(known ?? [code]));
    }
    return Uint8Array.from(bytes);
  };
  // What is not drawn is cut off a name where it begins or ends.
  return { letters: [...table.keys()].filter((letter) => !/\p{Default_Ignorable_Code_Point}/u.test(letter)), encode };
}

function unicode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const bytes = Uint8Array.from(Buffer.from(text, 'utf16le'));
  if (encoding === 'utf-16le') return bytes;
  return bytes.map((_, at) => bytes[at ^ 1] ?? 0);
}
