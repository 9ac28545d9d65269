/** When a practised question repeats: FSRS (ts-fsrs), in whole days, without randomness. Pure. */
import { createEmptyCard, fsrs, Rating } from 'ts-fsrs';
import type { PracticeCard } from '../../../worker/schema.ts';

const DAY_MS = 86_400_000;
/** At most a year: facts and people change. */
const scheduler = fsrs({ enable_fuzz: false, enable_short_term: false, maximum_interval: 365 });

/** The card after an answer at `now` (epoch ms). `card` is null for a new question. */
export function answered(card: PracticeCard | null, isRight: boolean, now: number): PracticeCard {
  const before = card
    ? {
        due: card.dueAt,
        last_review: card.lastAt,
        elapsed_days: 0,
        scheduled_days: card.interval,
        learning_steps: 0,
        stability: card.stability,
        difficulty: card.difficulty,
        reps: card.reps,
        lapses: card.lapses,
        state: card.state,
      }
    : createEmptyCard(new Date(now));
  const next = scheduler.next(before, new Date(now), isRight ? Rating.Good : Rating.Again).card;
  return {
    dueAt: next.due.getTime(),
    lastAt: now,
    lastRight: isRight,
    interval: Math.max(1, Math.round((next.due.getTime() - now) / DAY_MS)),
    stability: next.stability,
    difficulty: next.difficulty,
    reps: next.reps,
    lapses: next.lapses,
    state: next.state,
  };
}
