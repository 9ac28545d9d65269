import { describe, expect, it } from 'vitest';
import { readGift, writeGift } from '../../app/shared/quiz/formats/gift.ts';
import { lostLetters } from '../../app/shared/quiz/formats/shape.ts';
import type { QuizQuestion } from '../../server/contract/quiz.ts';

/** A file in short: of each question its kind, its text and what is right; what is wrong, and what is left out, by line. */
const short = (source: string) => {
  const { questions, problems, leftOut } = readGift(source);
  return {
    questions: questions.map((one) => [one.kind, one.text, ...answersOf(one)]),
    problems: problems.map(({ line, problem }) => [line, problem]),
    leftOut: leftOut.map(({ line, part }) => [line, part]),
  };
};
function answersOf(question: QuizQuestion): string[] {
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return question.options.map(({ id, text }) => `${question.correct.includes(id) ? '=' : '~'}${text}`);
    case 'matching':
      return question.left.map(({ id, text }) => {
        const right = question.right.find((one) => one.id === question.correct[id]);
        return `${text} -> ${right?.text}`;
      });
    case 'ordering':
      return question.items.map(({ text }) => text);
    case 'number':
      return [`${question.correct.value}:${question.correct.tolerance}`];
  }
}
const NOTHING = { problems: [], leftOut: [] };

describe('GIFT is read as Moodle reads it, or what is not is named by its line:', () => {
  it.each<[string, string, object]>([
    [
      'one answer of several',
      'Who packs the tent?{~Ada ~Bo =nobody}',
      { questions: [['single', 'Who packs the tent?', '~Ada', '~Bo', '=nobody']] },
    ],
    [
      'an answer that stands before the first sign is a wrong one',
      'Who packs it? {Ada ~Bo =nobody}',
      { questions: [['single', 'Who packs it?', '~Ada', '~Bo', '=nobody']] },
    ],
    [
      'a word that is missing, with the signs around it as they are',
      'The tent is {~buried =packed ~lost}, they say.',
      { questions: [['single', 'The tent is _____, they say.', '~buried', '=packed', '~lost']] },
    ],
    [
      'a missing word at the end of a sentence',
      'They walked to {~the sea =the hut}.',
      { questions: [['single', 'They walked to _____.', '~the sea', '=the hut']] },
    ],
    [
      'a lone full stop behind a question is no rest of a sentence',
      'How high is it (in m)? {#1204:5}.\n\nA number from 1 to 5? {#3:2}";',
      {
        questions: [
          ['number', 'How high is it (in m)?', '1204:5'],
          ['number', 'A number from 1 to 5?', '3:2'],
        ],
        leftOut: [
          [1, 'a mark behind the answers'],
          [3, 'a mark behind the answers'],
        ],
      },
    ],
    [
      'half the credit for one answer leaves it one answer of several',
      'Hard.{~wrong ~%50%half =full}',
      { questions: [['single', 'Hard.', '~wrong', '~half', '=full']], leftOut: [[1, 'credit for a part']] },
    ],
    [
      'shares of several answers, with and without a loss for the others',
      'Which two? {\n~No one\n~%50%Ada\n~%50%Bo\n~Cy }\n\nAgain, two? {~%-50%No one ~%50%Ada ~%50%Bo ~%-50%Cy}',
      {
        questions: [
          ['multiple', 'Which two?', '~No one', '=Ada', '=Bo', '~Cy'],
          ['multiple', 'Again, two?', '~No one', '=Ada', '=Bo', '~Cy'],
        ],
      },
    ],
    [
      'shares that are not equal',
      'Which? {~%70%Ada ~%30%Bo ~Cy}',
      { questions: [['multiple', 'Which?', '=Ada', '=Bo', '~Cy']], leftOut: [[1, 'credit for a part']] },
    ],
    ['no share at all', 'Which? {~Ada ~Bo}', { questions: [], problems: [[1, 'no right answer']] }],
    ['two that are right', 'Which? {=Ada =Bo ~Cy}', { questions: [], problems: [[1, 'more than one right answer']] }],
    [
      'true and false, with feedback to either',
      'Sun rises.{T}\n\nSun sets.{TRUE}\n\nMoon burns.{FALSE#No.#Right.}\n\nFog?{F}\n\nLower?{true}',
      {
        questions: [
          ['single', 'Sun rises.', '=True', '~False'],
          ['single', 'Sun sets.', '=True', '~False'],
          ['single', 'Moon burns.', '~True', '=False'],
          ['single', 'Fog?', '~True', '=False'],
        ],
        leftOut: [[5, 'feedback to answers']],
        problems: [[9, 'words to be typed']],
      },
    ],
    [
      'words to be typed, one or several, with shares',
      'Who?{=no one =nobody}\n\nSpell it {\n=colour#good\n=%50%color}\n\nWhere from? {=here}',
      {
        questions: [],
        problems: [
          [1, 'words to be typed'],
          [3, 'words to be typed'],
          [7, 'words to be typed'],
        ],
      },
    ],
    [
      'pairs, with the arrow between blanks or none',
      'Match.{=Canada->Ottawa =Italy -> Rome\n=Japan->Tokyo\n= -> Oslo}',
      { questions: [['matching', 'Match.', 'Canada -> Ottawa', 'Italy -> Rome', 'Japan -> Tokyo']] },
    ],
    [
      'two pairs are too few here',
      'Match.{=a1->b1 =a2->b2}\n\nMatch.{=a1->b1 =a2 =a3->b3}',
      {
        questions: [],
        problems: [
          [1, 'too few answers'],
          [3, 'a left side without its right side'],
        ],
      },
    ],
    [
      'numbers: a value, a tolerance, a range, several with shares, feedback to a wrong one',
      'Pi? {#3.1415}\n\nPi? {#3.1415:0.0005}\n\nPi? {#3.141..3.142}\n\nBorn? {#\n=1822:0 #Yes\n=%50%1822:2 #Close}\n\nNext? {#-2~#Completely wrong}\n\nTwo? {#=1 =2}\n\nNone? {#=%50%1}\n\nWord? {#one}',
      {
        questions: [
          ['number', 'Pi?', '3.1415:0'],
          ['number', 'Pi?', '3.1415:0.0005'],
          ['number', 'Pi?', '3.1415:0.0005'],
          ['number', 'Born?', '1822:0'],
          ['number', 'Next?', '-2:0'],
        ],
        leftOut: [
          [7, 'feedback to answers'],
          [7, 'credit for a part'],
          [11, 'feedback to answers'],
        ],
        problems: [
          [13, 'more than one right answer'],
          [15, 'no right answer'],
          [17, 'not a number'],
        ],
      },
    ],
    [
      'an essay, and a description without answers',
      'How are you? {}\n\nHow are you? {\n####We hope well.\n}\n\nYou are about to begin.',
      {
        questions: [],
        problems: [
          [1, 'an essay'],
          [3, 'an essay'],
          [7, 'answers without braces'],
        ],
      },
    ],
    [
      'comments, between and within questions, and categories',
      '// a heading\n$CATEGORY: $course$/top/Walks\n\n// name: one\nWhat is it? {\n// not this one\n  =yes ~no}\n\n$CATEGORY: Other\nLost? {=yes ~no}',
      {
        questions: [['single', 'What is it?', '=yes', '~no']],
        leftOut: [
          [2, 'a category'],
          [9, 'a category'],
        ],
        problems: [[10, 'a question without an empty line before it']],
      },
    ],
    [
      'signs that a backslash takes the meaning from, and no others',
      'Which is \\{5\\}\\: why? { ~ \\= 2 + 2 = \\= 2 + 3 ~ \\~\\#\\\\ ~\\[x\\]\\%}',
      { questions: [['single', 'Which is {5}: why?', '~= 2 + 2', '== 2 + 3', '~~#\\', '~\\[x\\]\\%']] },
    ],
    [
      'a line break within a text, and a backslash before a letter',
      'One\\n\\nTwo \\\\n? {=a1 ~b1}',
      { questions: [['single', 'One\n\nTwo \\n?', '=a1', '~b1']] },
    ],
    [
      'texts in HTML, Markdown, plain and Moodle’s own format; answers are as their question is',
      '[html]<p>Match the <b>word</b>\\: &lt;a&gt;</p> {\n=[moodle]An <i>ant</i> -> A\n=[plain]<b> -> B\n=[markdown]**Cee** -> C\n}\n\n[markdown]Who is in **the hut**? {=_no_ one ~[html]any&nbsp;one}\n\n[plain]Is <b> a tag? {T}\n\n[note] 2 < 3 and 3 > 2? {T}\n\nIs <em>this</em> so? {T}',
      {
        questions: [
          ['matching', 'Match the word: <a>', 'An ant -> A', '<b> -> B', 'Cee -> C'],
          ['single', 'Who is in the hut?', '=no one', '~any one'],
          ['single', 'Is <b> a tag?', '=True', '~False'],
          ['single', '[note] 2 < 3 and 3 > 2?', '=True', '~False'],
          ['single', 'Is this so?', '=True', '~False'],
        ],
        leftOut: [
          [1, 'formatting'],
          [7, 'formatting'],
          [13, 'formatting'],
        ],
      },
    ],
    [
      'braces that do not close, or only close',
      'Open? {=a1 ~b1\n\nClosed =a1 ~b1}',
      {
        questions: [],
        problems: [
          [1, 'braces that do not close'],
          [3, 'braces that do not close'],
        ],
      },
    ],
  ])('%s', (_, source, expected) => {
    expect(short(source)).toEqual({ ...NOTHING, ...expected });
  });

  it('feedback for all is the explanation, that to single answers is left out', () => {
    const { questions, leftOut } = readGift(
      '::Q1:: What is it? {\n=right # good! \n~wrong # [html]no\n####[html]It <b>is</b> \\#1. }\n\nAnd? {F####Because.}',
    );
    expect(questions.map(({ id, explanation }) => [id, explanation])).toEqual([
      ['q1', 'It is #1.'],
      ['question-2', 'Because.'],
    ]);
    expect(leftOut.map(({ line, part, what }) => [line, part, what])).toEqual([
      [1, 'formatting', 'What is it?'],
      [1, 'feedback to answers', 'What is it?'],
    ]);
  });

  it('what is written holds no backslash that Moodle would show, and no text that it would take for markup', () => {
    const question: QuizQuestion = {
      id: 'signs',
      kind: 'single',
      text: '[html] is 50% > 40%: <b>?',
      options: [
        { id: 'a', text: '%50% of it' },
        { id: 'b', text: '[plain] -> x' },
      ],
      correct: ['b'],
      explanation: '',
    };
    const written = writeGift([question]);
    expect(written).toBe(
      '::signs::[plain][html] is 50% > 40%\\: <b>? {\n\t~%0%%50% of it\n\t=[plain][plain] -> x\n}\n',
    );
    expect(readGift(written)).toEqual({ questions: [question], problems: [], leftOut: [] });
  });

  it('lines whose letters were lost when the file was read are named', () => {
    expect(lostLetters('a\r\nA\ufffda\n')).toEqual([
      { line: 2, part: 'letters that cannot be read', what: 'A\ufffda' },
    ]);
  });
});
