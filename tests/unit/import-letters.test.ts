import { expect, test } from 'vitest';
import { ENCODINGS, type Encoding } from '../../server/contract/import-limits.ts';
import { peopleOf, readFile } from '../../server/features/imports/read-file.ts';
import { lettersOf, textIn } from '../../server/rules/letters.ts';
import { fc, runs } from '../support/chance.ts';
import { encoderOf } from '../support/encoders.ts';

const now = new Date('2026-11-28T00:00:00Z');
async function read(bytes: Uint8Array<ArrayBuffer>, encoding?: Encoding) {
  const asked = { kind: 'people' as const, name: 'a.csv', ...(encoding && { encoding }) };
  const file = await readFile({ bytes: bytes.slice(), query: asked, now, xPoints: false });
  return {
    ...file,
    names: new Map([...peopleOf(file)].flat().map(({ line, name }) => [line, name])),
    lines: (problem: string) => file.findings.find((one) => one.problem === problem)?.lines ?? [],
  };
}

const ASCII = [...'abcXYZ'];
const ENDS = ['\n', '\r\n', '\r'] as const;
/** The text of a file, and what it names people. */
const fileOf = (letters: readonly string[]) =>
  fc
    .record({
      // Names begin with a letter that is no mark of its own: `nameIn` trims those.
      names: fc.array(
        fc.array(fc.oneof(fc.constantFrom(...letters), fc.constantFrom(...ASCII)), { minLength: 1, maxLength: 8 }),
        { minLength: 1, maxLength: 12 },
      ),
      end: fc.constantFrom(...ENDS),
    })
    .map(({ names, end }) => {
      const written = names.map((name) => name.join(''));
      const rows = written.map((name, at) => `${at + 1},${name},${at}`);
      return { text: `${['telegram_id,name,points', ...rows].join(end)}${end}`, written };
    });
const nameOf = (written: string) => written.normalize('NFC');

test.each(ENCODINGS)('a file in %s is read as it was written, or asked about', async (encoding) => {
  const { letters, encode } = encoderOf(encoding);
  expect(letters.length).toBeGreaterThan(10);
  await fc.assert(
    fc.asyncProperty(fileOf(letters), async ({ text, written }) => {
      const bytes = encode(text);
      const names = new Map(written.map((name, at) => [at + 2, nameOf(name)]));
      const found = await read(bytes);
      const { offered } = found.letters;
      const hasOthers = /[^\0-\x7f]/.test(text) || encoding.startsWith('utf-16');
      expect(offered.map((one) => one.encoding)).toEqual(hasOthers ? expect.arrayContaining([encoding]) : []);
      if (found.letters.read === null) {
        expect(found.findings).toMatchObject([{ problem: 'letters_unknown', effect: 'stops' }]);
        expect(found.names.size).toBe(0);
      } else if (encoding !== 'utf-8' && hasOthers) {
        // By chance the bytes are what UTF-8 would be; whatever they are not is named.
        expect(found.letters.read).toBe('utf-8');
        if (textIn(bytes, 'utf-8').includes('\ufffd')) expect(found.lines('letters_lost')).not.toEqual([]);
      } else expect(found.names).toEqual(names);
      const chosen = await read(bytes, encoding);
      expect(chosen.names).toEqual(names);
      expect(chosen.lines('letters_lost')).toEqual([]);
    }),
    { numRuns: runs(60, 400) },
  );
});

test('files in letters of one country are put before a person with the right reading among the first', () => {
  const texts: Partial<Record<Encoding, string>> = {
    'windows-1251': 'name,points\nАня Смирнова,40\nПётр Ильич,7\n',
    'koi8-u': 'name,points\nАня Смирнова,40\nПётр Ильич,7\n',
    ibm866: 'name,points\nАня Смирнова,40\nПётр Ильич,7\n',
    'windows-1252': 'name,points\nHélène,40\nJörg Müller,7\n',
    'windows-1250': 'name,points\nŁukasz Wiśniewski,40\nŽofie Dvořáková,7\n',
    'windows-1253': 'name,points\nΝίκος Παππάς,40\n',
    'windows-1255': 'name,points\nדוד לוי,40\n',
    'windows-1256': 'name,points\nمحمد علي,40\n',
    shift_jis: 'name,points\n田中さくら,40\nスズキ,7\n',
    'euc-jp': 'name,points\n田中さくら,40\nスズキ,7\n',
    'iso-2022-jp': 'name,points\n田中,40\n',
    gb18030: 'name,points\n王小明,40\n李华,7\n',
    big5: 'name,points\n陳大文,40\n',
    'euc-kr': 'name,points\n김민준,40\n이서연,7\n',
    'utf-16le': 'name,points\nАня,40\n',
    'utf-16be': 'name,points\nMira,40\n',
  };
  for (const [encoding, text] of Object.entries(texts) as [Encoding, string][]) {
    const { read: how, offered } = lettersOf(encoderOf(encoding).encode(text));
    const first = offered.slice(0, 6).map((one) => one.encoding);
    expect([encoding, how, first]).toEqual([encoding, null, expect.arrayContaining([encoding])]);
    const sample = offered.find((one) => one.encoding === encoding)?.sample;
    expect(text.replaceAll('\n', ' / ')).toContain(sample);
  }
});

test('UTF-8 that is broken here and there stays UTF-8, and the lines are named; what is hardly any is asked about', async () => {
  await fc.assert(
    fc.asyncProperty(
      fileOf(encoderOf('utf-8').letters),
      // Bytes that are in no letter, or one that is missing: of other breaks some make another letter, which nobody can see.
      fc.oneof(
        fc.array(fc.record({ at: fc.nat(), byte: fc.constantFrom(0xc0, 0xf8, 0xfe, 0xff) }), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.tuple(fc.record({ at: fc.nat(), byte: fc.constant(null) })),
      ),
      async ({ text: file, written }, breaks) => {
        // A byte between the two of an end of line would make it two.
        const text = file.replace(/\r\n?/g, '\n');
        const bytes = [...new TextEncoder().encode(text)];
        const head = text.indexOf('points') + 8;
        for (const { at, byte } of breaks) {
          const from = head + (at % (bytes.length - head));
          if (byte !== null) bytes.splice(from, 0, byte);
          else if ((bytes[from] ?? 0) >= 0x80) bytes.splice(from, 1);
        }
        const found = await read(Uint8Array.from(bytes));
        if (found.letters.read === null) {
          expect(found.lines('letters_unknown')).toHaveLength(1);
          return;
        }
        const named = new Set(found.findings.flatMap(({ lines }) => lines));
        // A byte that completes another's letter is the one break that nobody can see.
        for (const [at, name] of written.entries())
          if (!named.has(at + 2)) expect([at, found.names.get(at + 2)]).toEqual([at, nameOf(name)]);
      },
    ),
    { numRuns: runs(300, 2_000) },
  );
  const cut = Uint8Array.from([...new TextEncoder().encode('telegram_id,name\n1,Мира'), 0xf0, 0x9f, 10, 50, 44, 97]);
  const found = await read(cut);
  expect(found.letters.read).toBe('utf-8');
  expect(found.findings).toMatchObject([
    { problem: 'no_points', lines: [1] },
    { problem: 'letters_lost', effect: 'taken', choice: true, lines: [2], column: 1 },
  ]);
  expect([...found.names.values()]).toEqual(['Мира\ufffd', 'a']);
  const left = await readFile({
    bytes: cut,
    query: { kind: 'people', name: 'a.csv', leave: ['letters_lost'] },
    now,
    xPoints: false,
  });
  expect([...peopleOf(left)].flat().map(({ name }) => name)).toEqual(['a']);
});

test('a mark of the byte order decides, and is no part of the first name', async () => {
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
    const bytes = encoderOf(encoding).encode('\ufefftelegram_id,name,points\n1,Аня,40\n');
    const found = await read(bytes);
    expect(found).toMatchObject({ letters: { read: encoding, offered: [] }, findings: [] });
    expect([...found.names.values()]).toEqual(['Аня']);
  }
});

test('a first line that says what parts the cells, and names with quoted commas, are understood', async () => {
  const of = (text: string) => read(new TextEncoder().encode(text));
  for (const [divider, said] of [
    [';', 'sep=;\r\n'],
    ['|', 'sep=|\n'],
    ['\t', '"sep=\t"\r\n'],
    [';', '"Telegram, ID";"a, b, ""c, d"""\r\n'],
  ]) {
    const head = said?.startsWith('"Tel')
      ? said
      : `${said}"telegram_id"${divider}name, the whole${divider}points, all\r\n`;
    const found = await of(`${head}1${divider}Mira, O.${divider}40\r\n`);
    expect(found.columns).toHaveLength(said?.startsWith('"Tel') ? 2 : 3);
    if (!said?.startsWith('"Tel')) expect([found.rows, found.columns[1]?.samples]).toEqual([1, ['Mira, O.']]);
  }
  const empty = await of('sep=;\ntelegram_id;points\n1;\n2;7\n3;-\n');
  expect(empty.findings).toMatchObject([
    { problem: 'points_missing', effect: 'taken', choice: true, lines: [3, 5], column: 1 },
  ]);
  expect((await of('sep=;\ntelegram_id;telegram_id\n1;2\n')).findings).toMatchObject([
    { problem: 'no_points', lines: [2] },
  ]);
});
