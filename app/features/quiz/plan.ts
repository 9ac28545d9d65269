/** What to practise, from the record of practice. Pure. */
import type { QuizPack } from '../../../server/contract/quiz.ts';
import type { PracticeCard, PracticeRecord } from '../../../worker/schema.ts';
import type { PackInfo } from './packs.ts';

/** A question with at least this interval after a right answer counts as learned. */
const LEARNED_FROM_DAYS = 7;
const MINUTES_A_QUESTION = 1 / 3;
/** Questions in one session, and the new ones among them. */
export const SESSION_MAX = 12;
export const NEW_MAX = 8;
const WEEK = 7;

export type PackPlan = PackInfo & {
  /** Due by the end of today. */
  due: number;
  started: boolean;
  /** Share of its questions that are learned, 0 to 1. */
  learned: number;
};
export type Plan = {
  due: number;
  /** Due questions that were wrong last time. */
  hard: number;
  minutes: number;
  packs: PackPlan[];
  /** Today and the next six days; overdue questions count today. */
  week: { at: number; count: number }[];
  /** Days in a row with an answer, up to today or yesterday; and whether today has one. */
  streak: number;
  today: boolean;
  days: number;
};

const two = (value: number): string => String(value).padStart(2, '0');
/** `2026-11-26` by the device's clock. */
export function dayName(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
/** The same time of day some days later, across daylight-saving changes. */
function daysLater(at: number, days: number): number {
  const date = new Date(at);
  date.setDate(date.getDate() + days);
  return date.getTime();
}
function endOfDay(at: number): number {
  const date = new Date(at);
  date.setHours(24, 0, 0, 0);
  return date.getTime();
}

const isLearned = ({ lastRight, interval }: PracticeCard): boolean => lastRight && interval >= LEARNED_FROM_DAYS;

/** @param now epoch ms */
export function planOf(packs: readonly PackInfo[], record: PracticeRecord, now: number): Plan {
  const today = endOfDay(now);
  const week = Array.from({ length: WEEK }, (_, day) => ({ at: daysLater(now, day), count: 0 }));
  let hard = 0;
  const planned = packs.map((pack): PackPlan => {
    // Only the pack's questions: removed ones are not asked any more.
    const cards = Object.values(record.cards[pack.id] ?? {});
    const due = cards.filter(({ dueAt }) => dueAt < today);
    hard += due.filter(({ lastRight }) => !lastRight).length;
    for (const { dueAt } of cards) {
      const day = dueAt < today ? 0 : week.findIndex(({ at }) => dueAt < endOfDay(at));
      const bar = week[day];
      if (bar) bar.count += 1;
    }
    return {
      ...pack,
      due: due.length,
      started: cards.length > 0,
      learned: Math.min(1, cards.filter(isLearned).length / pack.questions),
    };
  });
  const due = planned.reduce((sum, pack) => sum + pack.due, 0);
  return {
    due,
    hard,
    minutes: Math.max(1, Math.round(due * MINUTES_A_QUESTION)),
    packs: planned,
    week,
    streak: streakOf(record, now),
    today: record.days[dayName(now)] !== undefined,
    days: Object.keys(record.days).length,
  };
}

function streakOf({ days }: PracticeRecord, now: number): number {
  let at = days[dayName(now)] ? now : daysLater(now, -1);
  let streak = 0;
  while (days[dayName(at)]) {
    streak += 1;
    at = daysLater(at, -1);
  }
  return streak;
}

/** A question to ask, by pack and id. */
export type PlannedCard = { pack: string; question: string };

/**
 * One session's questions: due ones, wrong ones first; then new ones in the pack's order. For a pack with neither,
 * those due soonest, since anyone may practise.
 */
export function sessionOf(
  packs: readonly QuizPack[],
  record: PracticeRecord,
  now: number,
  withNew: boolean,
): PlannedCard[] {
  const today = endOfDay(now);
  const all = packs.flatMap((pack) =>
    pack.questions.map(({ id }) => ({ pack: pack.id, question: id, card: record.cards[pack.id]?.[id] ?? null })),
  );
  const seen = all.flatMap(({ card, ...entry }) => (card ? [{ ...entry, card }] : []));
  const due = seen
    .filter(({ card }) => card.dueAt < today)
    .sort((a, b) => Number(a.card.lastRight) - Number(b.card.lastRight) || a.card.dueAt - b.card.dueAt);
  const fresh = withNew ? all.filter(({ card }) => card === null).slice(0, NEW_MAX) : [];
  const wanted = [...due.slice(0, SESSION_MAX), ...fresh].slice(0, SESSION_MAX);
  const chosen = wanted.length > 0 ? wanted : seen.sort((a, b) => a.card.dueAt - b.card.dueAt).slice(0, SESSION_MAX);
  return chosen.map(({ pack, question }) => ({ pack, question }));
}
