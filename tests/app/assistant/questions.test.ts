import { describe, expect, test } from 'vitest';
import { ownPassages } from '../../../app/features/assistant/own-passages.ts';
import { standingOf, subjectOf } from '../../../app/features/assistant/standing.ts';
import { guidePassages, indexPassages } from '../../../server/rules/passages.ts';
import questions from '../../support/assistant-questions.json' with { type: 'json' };
import { MEMBER, RULES, WALKERS } from './walkers.ts';

const passages = [
  ...guidePassages('phone'),
  ...ownPassages([{ dashboard: WALKERS, detail: { rules: RULES }, announcements: [] }]),
];
const index = indexPassages(passages);
const shortId = (id: string) => id.replace(/^guide:[\w-]+:/, '');
const known = new Set(passages.map(({ id }) => shortId(id)));

/** What an answer quotes: up to three passages, where the question is not about one's own standing. */
const quoted = (ask: string): string[] =>
  subjectOf(ask) === null
    ? index.answer(ask, 3).map(({ passage }) => shortId(passage.id))
    : [`standing: ${subjectOf(ask)}`];

const missed = (asked: readonly { ask: string; find: string[] }[]): string[] =>
  asked
    .map(({ ask, find }) => ({ ask, find, got: quoted(ask) }))
    .filter(({ find, got }) => !got.some((id) => find.includes(id)))
    .map(({ ask, find, got }) => `${ask} → ${got.join(', ') || 'nothing'}, not ${find.join(' or ')}`);

describe('the assistant without a model', () => {
  test('the questions are 120, and each names passages that exist', () => {
    const { direct, paraphrased, unanswerable, standing } = questions;
    expect([direct.length, paraphrased.length, unanswerable.length, standing.length]).toEqual([40, 40, 20, 20]);
    expect([...direct, ...paraphrased].flatMap(({ find }) => find).filter((id) => !known.has(id))).toEqual([]);
  });

  test('finds the right passage in the first three for nine in ten, in guide words and in other words', () => {
    const direct = missed(questions.direct);
    const paraphrased = missed(questions.paraphrased);
    console.log(`missed: ${direct.length} of 40 direct, ${paraphrased.length} of 40 paraphrased`, direct, paraphrased);
    expect(direct.length).toBeLessThanOrEqual(4);
    expect(paraphrased.length).toBeLessThanOrEqual(4);
  });

  test('refuses what nothing answers', () => {
    const answered = questions.unanswerable.filter((ask) => quoted(ask).length > 0);
    console.log(
      `answered: ${answered.length} of 20 unanswerable`,
      answered.map((ask) => `${ask} → ${quoted(ask)}`),
    );
    expect(answered.length).toBeLessThanOrEqual(3);
  });

  test.each(questions.standing)('answers exactly: $ask', ({ ask, subject, ...wanted }) => {
    const answer = standingOf(ask, MEMBER);
    expect(answer?.subject).toBe(subject);
    if ('expect' in wanted) expect(answer?.communities[0]).toMatchObject(wanted.expect as object);
    if ('entries' in wanted) expect(answer?.entries).toEqual(wanted.entries);
  });
});
