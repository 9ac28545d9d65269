import { describe, expect, test } from 'vitest';
import { loadPack, PACKS } from '../../../app/features/quiz/packs.ts';
import { dayName, NEW_MAX, planOf, SESSION_MAX, sessionOf } from '../../../app/features/quiz/plan.ts';
import { answered } from '../../../app/features/quiz/schedule.ts';
import { QuizPack } from '../../../server/contract/quiz.ts';
import { bank } from '../../../server/features/quiz/bank.ts';
import type { PracticeCard, PracticeRecord } from '../../../worker/schema.ts';
import { singles } from '../../support/quiz.ts';

const DAY = 86_400_000;
const NOW = new Date('2026-11-25T12:00:00').getTime();
const pack = singles('one', 15);
const info = { id: 'one', title: 'One', questions: 15 };
const none: PracticeRecord = { cards: {}, days: {} };

describe('a question that is practised', () => {
  test('comes again tomorrow after an answer that was not right, and later each time it is', () => {
    const wrong = answered(null, false, NOW);
    expect(wrong).toMatchObject({ lastRight: false, interval: 1, lapses: 0 });
    let card: PracticeCard | null = null;
    let now = NOW;
    const intervals: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      card = answered(card, true, now);
      intervals.push(card.interval);
      now = card.dueAt;
    }
    expect(intervals[0]).toBeGreaterThanOrEqual(1);
    expect(intervals).toEqual([...intervals].sort((a, b) => a - b));
    expect(intervals.at(-1)).toBeGreaterThan(30);
    const lapsed = answered(card, false, now);
    expect(lapsed).toMatchObject({ lastRight: false, lapses: 1 });
    expect(lapsed.interval).toBeLessThan(intervals.at(-1) ?? 0);
    expect(lapsed.dueAt).toBeGreaterThan(now);
  });

  test('never rests longer than a year', () => {
    let card: PracticeCard | null = null;
    let now = NOW;
    for (let time = 0; time < 20; time += 1) {
      card = answered(card, true, now);
      now = card.dueAt;
    }
    expect(card?.interval).toBeLessThanOrEqual(366);
  });
});

const card = (dueAt: number, over: Partial<PracticeCard> = {}): PracticeCard => ({
  dueAt,
  lastAt: NOW - DAY,
  lastRight: true,
  interval: 10,
  stability: 10,
  difficulty: 5,
  reps: 2,
  lapses: 0,
  state: 2,
  ...over,
});
const recordOf = (cards: Record<string, PracticeCard>, days: PracticeRecord['days'] = {}): PracticeRecord => ({
  cards: { one: cards },
  days,
});

describe('the plan', () => {
  test('of nothing practised has packs and no work', () => {
    expect(planOf([info], none, NOW)).toMatchObject({
      due: 0,
      streak: 0,
      days: 0,
      packs: [{ due: 0, started: false, learned: 0 }],
    });
  });

  test('counts what is due by the end of today, what was hard, the days to come and what is learned', () => {
    const record = recordOf({
      'one-0': card(NOW - 5 * DAY),
      'one-1': card(NOW + 60_000, { lastRight: false, interval: 1 }),
      'one-2': card(NOW + DAY),
      'one-3': card(NOW + 6 * DAY),
      'one-4': card(NOW + 40 * DAY),
    });
    const plan = planOf([info], record, NOW);
    expect(plan).toMatchObject({ due: 2, hard: 1, minutes: 1 });
    expect(plan.week.map(({ count }) => count)).toEqual([2, 1, 0, 0, 0, 0, 1]);
    expect(plan.packs[0]).toMatchObject({ due: 2, started: true, learned: 4 / 15 });
  });

  test('has a streak of days in a row that today has not ended yet', () => {
    const day = (ago: number) => [dayName(NOW - ago * DAY), { answered: 3, right: 2 }] as const;
    const streak = (...ago: number[]) => planOf([info], recordOf({}, Object.fromEntries(ago.map(day))), NOW);
    expect(streak(0, 1, 2)).toMatchObject({ streak: 3, today: true, days: 3 });
    expect(streak(1, 2)).toMatchObject({ streak: 2, today: false });
    expect(streak(2, 3)).toMatchObject({ streak: 0 });
  });
});

describe('a session', () => {
  test('asks what is due first, what went wrong before the rest, then a few new ones', () => {
    const record = recordOf({
      'one-5': card(NOW - DAY),
      'one-6': card(NOW - 2 * DAY),
      'one-7': card(NOW, { lastRight: false }),
      'one-8': card(NOW + 3 * DAY),
    });
    const turns = sessionOf([pack], record, NOW, true).map(({ question }) => question);
    expect(turns.slice(0, 3)).toEqual(['one-7', 'one-6', 'one-5']);
    expect(turns).toHaveLength(3 + NEW_MAX);
    expect(turns).not.toContain('one-8');
    expect(sessionOf([pack], record, NOW, false)).toHaveLength(3);
  });

  test('is never empty for who wants to practise, and never endless', () => {
    const all = (dueAt: number) => recordOf(Object.fromEntries(pack.questions.map(({ id }) => [id, card(dueAt)])));
    expect(sessionOf([pack], all(NOW + 9 * DAY), NOW, true)).toHaveLength(SESSION_MAX);
    expect(sessionOf([pack], all(NOW - DAY), NOW, true)).toHaveLength(SESSION_MAX);
    expect(sessionOf([pack], none, NOW, true)).toHaveLength(NEW_MAX);
  });
});

describe('the packs that come along', () => {
  test.each(PACKS)(
    '$id is what the plan says, and has a graded bank of other questions',
    async ({ id, title, questions }) => {
      const practice = QuizPack.parse(await loadPack(id));
      expect(practice).toMatchObject({ id, title, questions: { length: questions } });
      const graded = QuizPack.parse(bank.get(id));
      const texts = new Set(practice.questions.map(({ text }) => text));
      expect(graded.questions.filter(({ text }) => texts.has(text))).toEqual([]);
    },
  );

  test('are all there, and no other', () => {
    expect([...bank.keys()].sort()).toEqual(PACKS.map(({ id }) => id).sort());
  });
});
