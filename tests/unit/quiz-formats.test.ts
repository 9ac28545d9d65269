import { describe, expect, it } from 'vitest';
import { readCsv, writeCsv } from '../../app/shared/quiz/formats/csv.ts';
import { readGift, writeGift } from '../../app/shared/quiz/formats/gift.ts';
import { readJson, writeJson } from '../../app/shared/quiz/formats/json.ts';
import { plain } from '../../app/shared/quiz/formats/shape.ts';
import { type QuizPack, QuizQuestion } from '../../server/contract/quiz.ts';
import { fc, runs } from '../support/chance.ts';
import { AS_ITS_LENGTH, growth } from '../support/growth.ts';
import { FIVE, questions } from '../support/quiz.ts';

/** What a file without ids of answers keeps of questions. */
const read = (all: readonly QuizQuestion[]) => all.map(plain);

describe('a pack that is written and read again is the same', () => {
  it('as JSON, to the letter', () => {
    fc.assert(
      fc.property(questions, (all) => {
        const pack: QuizPack = { id: 'a-pack', title: 'A pack', about: '', language: 'en', questions: all };
        const { questions: found, problems, words, leftOut } = readJson(writeJson(pack));
        expect([problems, leftOut]).toEqual([[], []]);
        expect(found).toEqual(all);
        expect(words).toEqual({ title: 'A pack', language: 'en' });
      }),
    );
  });

  it.each([
    ['CSV', writeCsv, readCsv],
    ['GIFT', writeGift, readGift],
  ])('as %s, in all that a person reads', (_, write, readFile) => {
    fc.assert(
      fc.property(questions, (all) => {
        const { questions: found, problems, leftOut } = readFile(write(all));
        expect([problems, leftOut]).toEqual([[], []]);
        expect(read(found)).toEqual(read(all));
        for (const question of found) expect(QuizQuestion.safeParse(question).success).toBe(true);
        // What was read once stays as it is from then on.
        expect(readFile(write(found)).questions).toEqual(found);
      }),
    );
  });

  it('with its source, unit and explanation in every format', () => {
    for (const { questions: found } of [readCsv(writeCsv(FIVE)), readGift(writeGift(FIVE))])
      expect(read(found)).toEqual(read(FIVE));
  });
});

describe('a file of somebody else’s', () => {
  it('in GIFT, as Moodle writes it', () => {
    const { questions: found, problems } = readGift(`// a comment
$CATEGORY: $course$/top/Walks

::Q1:: 1+1\\=2 {T#right#wrong}

::Fog:: [html]What first? { ~Walk#no =Stop#yes ~Call
  ####You know where you are.}

// name: two
Two of them {
  ~%50%Water
  ~%50%Map
  ~%-100%Anvil
}

Match. {
  =cat -> meow
  =dog -> woof
  =cow -> moo
  = -> quack
}

When was it? {#1822:5}

Between? {#1..2.5}

Grant is buried {=here ~there} in this tomb.
`);
    expect(problems).toEqual([]);
    expect(found.map(({ kind, text }) => [kind, text])).toEqual([
      ['single', '1+1=2'],
      ['single', 'What first?'],
      ['multiple', 'Two of them'],
      ['matching', 'Match.'],
      ['number', 'When was it?'],
      ['number', 'Between?'],
      ['single', 'Grant is buried _____ in this tomb.'],
    ]);
    expect(found[1]).toMatchObject({ id: 'fog', correct: ['b'], explanation: 'You know where you are.' });
    expect(found[3]).toMatchObject({ right: { length: 4 }, correct: { la: 'ra', lb: 'rb', lc: 'rc' } });
    expect(found[5]).toMatchObject({ correct: { value: '1.75', tolerance: '0.75' } });
  });

  it('in CSV with semicolons, a mark at the beginning and quoted line breaks', () => {
    const { questions: found, problems } = readCsv(
      '\ufeffkind;question;answer1;answer2;right\r\nsingle;"A;\nB?";"say ""yes""";no;1\r\n\r\n',
    );
    expect(problems).toEqual([]);
    expect(found).toMatchObject([
      { id: 'question-1', text: 'A;\nB?', options: [{ text: 'say "yes"' }, { text: 'no' }] },
    ]);
  });

  it('names the columns and fields that are not read', () => {
    const csv = readCsv('sep=;\nkind;question;answer1;answer2;right;points\nsingle;What is it?;a;b;1;5\n');
    expect(csv).toMatchObject({
      questions: [{ correct: ['a'] }],
      leftOut: [{ line: 2, part: 'a column or field that is not read', what: 'points' }],
    });
    const json = readJson(`[{"hint":"H","kind":"number","text":"How many?","correct":{"value":"1"}}]`);
    expect(json).toMatchObject({ problems: [], leftOut: [{ line: 1, what: 'hint' }] });
  });

  it('says by line what is wrong, and keeps the rest', () => {
    const csv = readCsv(
      'kind,question,answer1,answer2,right\nsingle,What is it?,a,b,3\nsingle,"Two\nlines?",a,b,1\nessay,Write.,,,\n',
    );
    expect(csv.problems).toEqual([
      { line: 2, problem: 'a right answer that is not among the answers', what: 'What is it?' },
      { line: 5, problem: 'an unknown kind', what: 'essay' },
    ]);
    expect(csv.questions).toHaveLength(1);
    const gift = readGift(
      'Fine? {=yes ~no}\n\nNo answer\n\nOpen {=a ~b\n\nSpell it {=colour =color}\n\n::T::Same {=a ~a}',
    );
    expect(gift.problems.map(({ line, problem }) => [line, problem])).toEqual([
      [3, 'answers without braces'],
      [5, 'braces that do not close'],
      [7, 'words to be typed'],
      [9, 'two answers that read the same'],
    ]);
    const json = readJson(
      '{\n "questions": [\n  {"id":"a","kind":"single","text":"What?","options":[],"correct":[]},\n  {"kind":"essay"}\n ]\n}',
    );
    expect(json.problems.map(({ line, problem }) => [line, problem])).toEqual([
      [3, 'too few answers'],
      [4, 'an unknown kind'],
    ]);
  });

  it.each([
    ['', 'not this format'],
    ['[]', 'no questions'],
    ['{"questions": 5}', 'not this format'],
    ['{"a":\n1', 'not this format'],
    ['null', 'not this format'],
  ])('in JSON that is no pack (%j) is refused', (source, problem) => {
    expect(readJson(source).problems[0]?.problem).toBe(problem);
  });

  it('of nothing, or without its columns, is refused in words', () => {
    expect(readCsv('').problems[0]).toEqual({ line: 1, problem: 'a column that is missing', what: 'kind' });
    expect(readCsv('a,b\n1,2').problems[0]?.problem).toBe('a column that is missing');
    expect(readCsv('kind,question,answer1,right\nsingle,"open').problems[0]).toEqual({
      line: 2,
      problem: 'a quotation that does not end',
    });
    expect(readGift(' \n').problems).toEqual([{ line: 1, problem: 'no questions' }]);
  });

  it('never throws, hangs, or gives a question that cannot be asked', () => {
    const hostile = fc.oneof(
      fc.string({ maxLength: 400, unit: 'binary' }),
      fc
        .array(
          fc.constantFrom(
            '{',
            '}',
            '=',
            '~',
            '#',
            '\\',
            '\n',
            '\n\n',
            '::',
            '->',
            '"',
            ',',
            ';',
            'a',
            '%50%',
            '>',
            '[',
            ']',
            ':',
            '__proto__',
            '9',
            '.',
          ),
          { maxLength: 200 },
        )
        .map((parts) => parts.join('')),
      fc.json({ maxDepth: 4 }),
      fc.constant(`kind,question,answer1,answer2,right\nsingle,What?,__proto__,constructor,1`),
    );
    fc.assert(
      fc.property(hostile, (source) => {
        for (const readFile of [readJson, readCsv, readGift]) {
          const { questions: found, problems } = readFile(source);
          expect(found.length + problems.length).toBeGreaterThan(0);
          for (const question of found) expect(QuizQuestion.safeParse(question).success).toBe(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('with very many questions is cut, and takes no longer than its length asks for', () => {
    const many = readGift('What is it? {=yes ~no}\n\n'.repeat(20_000));
    expect(many.questions).toHaveLength(60);
    expect(many.problems).toEqual([{ line: 121, problem: 'too many questions' }]);
    const quotes = (size: number) => `kind,question,answer1,right\n${'"'.repeat(size + 1)}`;
    expect(readCsv(quotes(200_000)).problems.length).toBeGreaterThan(0);
    expect(growth((size) => () => readCsv(quotes(size)), 25_000)).toBeLessThan(AS_ITS_LENGTH);
    expect(growth((size) => () => readGift('What is it? {=yes ~no}\n\n'.repeat(size)), 2_500)).toBeLessThan(
      AS_ITS_LENGTH,
    );
  });
});
