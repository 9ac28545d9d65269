import { describe, expect, it } from 'vitest';
import {
  QUIZ_ATTEMPT_PASS_PERCENT,
  QUIZ_ATTEMPT_QUESTIONS,
  QUIZ_HUMAN_FLOOR_MS,
} from '../../server/contract/limits.ts';
import type { QuizAnswer, QuizAttempt, QuizPack } from '../../server/contract/quiz.ts';
import { neededOf } from '../../server/contract/quiz-grade.ts';
import { attemptOf, nextDrawAt } from '../../server/features/quiz/attempts.ts';
import { type Chance, draw, gradeDrawn } from '../../server/features/quiz/draw.ts';
import { runs, SEED, seeded } from '../support/chance.ts';
import { singles } from '../support/quiz.ts';

const OPTIONS = 4;
const BANK = 10;
const COUNT = QUIZ_ATTEMPT_QUESTIONS;
const NEEDED = neededOf(COUNT, QUIZ_ATTEMPT_PASS_PERCENT);
/** Right answers of an attempt that knows nothing. */
const BY_CHANCE = COUNT / OPTIONS;
const DAY = 86_400_000;

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
/** How likely one attempt is passed by pure guessing. */
const CHANCE = Array.from({ length: COUNT - NEEDED + 1 }, (_, at) => NEEDED + at).reduce(
  (sum, k) => sum + choose(COUNT, k) * (1 / OPTIONS) ** k * (1 - 1 / OPTIONS) ** (COUNT - k),
  0,
);

/** One pack with a key of chance for each member. */
function packOf(random: () => number): QuizPack {
  const pack = singles('bank', BANK);
  const questions = pack.questions.map((question) => {
    if (question.kind !== 'single') return question;
    return { ...question, correct: [question.options[Math.floor(random() * OPTIONS)]?.id ?? ''] };
  });
  return { ...pack, questions };
}

/** All that a member is told. Strategies get nothing else. */
type GradedAttempts = { attempt: QuizAttempt; sent: QuizAnswer[] }[];
type Strategy = (
  attempt: QuizAttempt,
  before: GradedAttempts,
  random: () => number,
) => { answers: QuizAnswer[]; tookMs: number };

/** Takes attempts as fast as they are given until one is passed; says how many attempts there were. */
function play(strategy: Strategy, days: number, seed: number): { attempts: number; passed: boolean; days: number } {
  const random = seeded(seed);
  let ids = 0;
  const chance: Chance = {
    below: (below) => Math.floor(random() * below),
    id: () => {
      ids += 1;
      return `id-${seed}-${ids}`;
    },
  };
  const { questions } = packOf(random);
  const asked = new Map<string, number>();
  const before: GradedAttempts = [];
  const fails: number[] = [];
  let now = 0;
  while (now < days * DAY) {
    const recent = fails.filter((at) => at > now - DAY);
    const tries = {
      failed: recent.length,
      firstFailedAt: recent[0] === undefined ? null : new Date(recent[0]),
      lastFailedAt: fails.length === 0 ? null : new Date(fails.at(-1) ?? 0),
    };
    const later = nextDrawAt(tries, new Date(now));
    if (later !== null) {
      now = later.getTime();
      continue;
    }
    const drawn = draw(questions, COUNT, asked, chance);
    for (const { of } of drawn) asked.set(of, (asked.get(of) ?? 0) + 1);
    const row = {
      id: `attempt-${before.length}`,
      userId: 'u',
      pack: 'shipped:bank',
      title: 'Bank',
      communityId: null,
      taskId: null,
      passPercent: QUIZ_ATTEMPT_PASS_PERCENT,
      questions: drawn,
      drawnAt: new Date(now),
      gradedAt: null,
      answers: null,
      outcome: null,
      score: null,
    };
    const { answers, tookMs } = strategy(attemptOf(row), before, random);
    now += 60_000;
    const { outcome, score } = gradeDrawn(drawn, answers, { passPercent: QUIZ_ATTEMPT_PASS_PERCENT, tookMs });
    const graded = attemptOf({ ...row, gradedAt: new Date(now), answers, outcome, score });
    // What is told of the questions before is told with the attempt that asked them.
    before.push({ attempt: { ...graded, questions: attemptOf(row).questions }, sent: answers });
    if (outcome === 'passed') return { attempts: before.length, passed: true, days: now / DAY };
    fails.push(now);
  }
  return { attempts: before.length, passed: false, days };
}

const SLOW = QUIZ_HUMAN_FLOOR_MS * COUNT;
const optionsOf = (question: QuizAttempt['questions'][number]) => (question.kind === 'single' ? question.options : []);
const pick = <T>(items: readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)];
const answersBy = (
  attempt: QuizAttempt,
  textOf: (text: string, options: string[]) => string | undefined,
): QuizAnswer[] =>
  attempt.questions.map((question) => {
    const options = optionsOf(question);
    const chosen = textOf(
      question.text,
      options.map(({ text }) => text),
    );
    return { questionId: question.id, optionIds: options.filter(({ text }) => text === chosen).map(({ id }) => id) };
  });

/** How the options of each question have fared so far: `weigh` says what an attempt that ended so adds to a chosen option. */
function fared(before: GradedAttempts, weigh: (told: GradedAttempts[number]) => number): Map<string, number> {
  const weights = new Map<string, number>();
  for (const told of before) {
    const weight = weigh(told);
    for (const answer of told.sent) {
      const question = told.attempt.questions.find(({ id }) => id === answer.questionId);
      const text = question && optionsOf(question).find(({ id }) => id === answer.optionIds[0])?.text;
      if (question && text)
        weights.set(`${question.text}|${text}`, (weights.get(`${question.text}|${text}`) ?? 0) + weight);
    }
  }
  return weights;
}
const best = (weights: Map<string, number>, random: () => number) => (text: string, options: string[]) => {
  const weightOf = (option: string) => weights.get(`${text}|${option}`) ?? 0;
  const most = Math.max(...options.map(weightOf));
  return pick(
    options.filter((option) => weightOf(option) === most),
    random,
  );
};

const STRATEGIES: Record<string, Strategy> = {
  'chooses by chance': (attempt, _, random) => ({
    answers: answersBy(attempt, (_text, options) => pick(options, random)),
    tookMs: SLOW,
  }),
  'takes the same place each time': (attempt) => ({
    answers: attempt.questions.map((one) => ({
      questionId: one.id,
      optionIds: optionsOf(one)
        .slice(0, 1)
        .map(({ id }) => id),
    })),
    tookMs: SLOW,
  }),
  'takes the same words each time': (attempt) => ({
    answers: answersBy(attempt, (_text, options) => [...options].sort()[0]),
    tookMs: SLOW,
  }),
  'goes by the number of right answers': (attempt, before, random) => ({
    answers: answersBy(
      attempt,
      best(
        fared(before, ({ attempt: { result } }) => (result?.score ?? BY_CHANCE) - BY_CHANCE),
        random,
      ),
    ),
    tookMs: SLOW,
  }),
  'never sends again what has failed': (attempt, before, random) => ({
    answers: answersBy(
      attempt,
      best(
        fared(before, ({ attempt: { result } }) => (result?.outcome === 'failed' ? -1 : 0)),
        random,
      ),
    ),
    tookMs: SLOW,
  }),
  'reads the keys of what it was told': (attempt, before, random) => {
    const keys = new Map<string, number>();
    for (const { attempt: old } of before)
      for (const told of old.result?.told ?? []) keys.set(JSON.stringify(told.key.optionIds), 1);
    return { answers: answersBy(attempt, best(keys, random)), tookMs: SLOW };
  },
  'answers at once every second time': (attempt, before, random) => ({
    answers: answersBy(attempt, (_text, options) => pick(options, random)),
    tookMs: before.length % 2 === 0 ? 0 : SLOW,
  }),
  'probes at once, then sends what was not called wrong': (attempt, before, random) => ({
    answers: answersBy(
      attempt,
      best(
        fared(before, ({ attempt: { result } }) => (result?.outcome === 'hasty' ? 1 : -1)),
        random,
      ),
    ),
    tookMs: before.length % 2 === 0 ? 0 : SLOW,
  }),
  'ticks every option': (attempt) => ({
    answers: attempt.questions.map((one) => ({ questionId: one.id, optionIds: optionsOf(one).map(({ id }) => id) })),
    tookMs: SLOW,
  }),
};

describe('who guesses', () => {
  const MEMBERS = runs(200, 600);
  const DAYS = runs(10, 20);
  const seedOf = (member: number) => (SEED + member) * 7_919;
  it.each(Object.keys(STRATEGIES))('gains nothing over chance: one who %s', (name) => {
    const strategy = STRATEGIES[name] as Strategy;
    let attempts = 0;
    let passed = 0;
    for (let member = 1; member <= MEMBERS; member += 1) {
      const played = play(strategy, DAYS, seedOf(member));
      attempts += played.attempts;
      passed += Number(played.passed);
    }
    expect(attempts).toBeGreaterThan(MEMBERS * DAYS * 0.5);
    // Five standard deviations of what chance does in so many attempts: of a hundred thousand runs, one is red by chance.
    const expected = attempts * CHANCE;
    const spread = Math.sqrt(attempts * CHANCE * (1 - CHANCE));
    expect(passed, `of ${attempts} attempts`).toBeLessThanOrEqual(expected + 5 * spread);
  });

  it('has two attempts a day, however they are paced', () => {
    const { attempts, passed } = play(STRATEGIES['ticks every option'] as Strategy, 10, 1);
    expect(passed).toBe(false);
    expect(attempts).toBeLessThanOrEqual(2 * 10 + 1);
  });

  it('would gain by a number of right answers: the same strategy, told it, passes far more often', () => {
    // What keeps the promise above is that the number is not told: here it is.
    let attempts = 0;
    let passed = 0;
    for (let member = 1; member <= 200; member += 1) {
      const seed = seedOf(member);
      const telling: Strategy = (attempt, before, random) => ({
        answers: answersBy(
          attempt,
          best(
            fared(before, ({ sent }) => hits.get(sent) ?? 0),
            random,
          ),
        ),
        tookMs: SLOW,
      });
      const hits = new Map<QuizAnswer[], number>();
      const told: Strategy = (attempt, before, random) => {
        for (const one of before) if (!hits.has(one.sent)) hits.set(one.sent, scoreOf(one, seed) - BY_CHANCE);
        return telling(attempt, before, random);
      };
      const played = play(told, DAYS, seed);
      attempts += played.attempts;
      passed += Number(played.passed);
    }
    expect(passed / attempts).toBeGreaterThan(1.5 * CHANCE);
  });
});

/** How many answers of an attempt were right, as the key of this seed says. */
function scoreOf({ attempt, sent }: GradedAttempts[number], seed: number): number {
  const { questions } = packOf(seeded(seed));
  return sent.filter((answer) => {
    const question = attempt.questions.find(({ id }) => id === answer.questionId);
    const whole = questions.find(({ text }) => text === question?.text);
    if (!question || whole?.kind !== 'single') return false;
    const text = optionsOf(question).find(({ id }) => id === answer.optionIds[0])?.text;
    return whole.options.find(({ id }) => id === whole.correct[0])?.text === text;
  }).length;
}
