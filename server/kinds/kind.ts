import type { Check, Evidence } from '../contract/claims.ts';
import type { NotSeen } from '../contract/refusals.ts';
import type { ReviewItem } from '../contract/review.ts';
import type { TaskAsk, TaskKind, TaskSetup } from '../contract/tasks.ts';
import type { XKind } from '../contract/x-post.ts';

export type SetupOf<K extends TaskKind> = Extract<TaskSetup, { kind: K }>;
export type AskOf<K extends TaskKind> = Extract<TaskAsk, { kind: K }>;
export type EvidenceOf<K extends TaskKind> = Extract<Evidence, { kind: K }>;

/** The result of an answer, before it is compared with other members'. */
export type Judged = {
  state: 'submitted' | 'checking' | 'approved' | 'rejected';
  /** As it is stored: links in one form, text with one kind of line break. */
  evidence: Evidence | null;
  checks: Omit<Check, 'at'>[];
  reason: string | null;
};

/** What Telegram told that speaks for a claim or against it, in words that name when. */
export type Attested = { ok: true; note: string } | { ok: false; note: string; unseen: NotSeen };
/** A look at X: `hasRoom` says whether this month's budget pays for it. */
type XAccount = { handle: string | null; hasToken: boolean; hasRoom: boolean };
/** What a kind judges by beside the answer. The server reads it from its database, the demo from its sample. */
export type Facts = {
  /**
   * The drawn attempt; null where the task has its own questions. `hasPassed` also counts answers that came too fast.
   */
  quiz: { hasPassed: boolean; isHasty: boolean; count: number; needed: number } | null;
  /** Invited people who count, and how often they were paid for before. */
  invite: { all: number; before: number };
  telegram_join: Attested;
  telegram_chat: Attested;
  telegram_reaction: Attested;
  /** The step that the code is of; null for a code of another event. */
  telegram_event: { step: number | null };
  /** Whether the upload has arrived. */
  submit_image: boolean;
  file: boolean;
} & Record<XKind, XAccount>;
export type FactsOf<K extends TaskKind> = K extends keyof Facts ? Facts[K] : undefined;

export type Moment = {
  now: Date;
  /** Credible time of the act. */
  at: Date;
  /** The device's word, not to be believed beyond telling how long something took. */
  deviceAt: Date;
  /** Whether `now` lies in the period that is claimed, too. */
  isPeriodNow: boolean;
};
/** Puts questions, and the options of the question named, in an order of the member's own. */
export type Order = <T>(items: readonly T[], question: string | null) => T[];

/** All that the server asks of a task kind. Pure: the demo asks the same. */
export interface Kind<K extends TaskKind = TaskKind> {
  /** The setup as it is stored. Absent: as it came. Throws 400 and 422 for a setup that cannot work. */
  check?(setup: SetupOf<K>, now: Date): SetupOf<K>;
  /** What a member is asked. Every field is listed, so no right answer slips through. */
  ask(setup: SetupOf<K>, by: { publicKey: string; inOrder: Order }): AskOf<K>;
  /** Whether nothing need be sent: the server sees for itself. */
  isSeen?: true;
  /** What an answer comes to. Absent: a leader gives it. Throws 422 for an answer that cannot be one. */
  judge?(setup: SetupOf<K>, evidence: EvidenceOf<K>, at: Moment, facts: FactsOf<K>): Judged;
  /** What makes two stored answers the same one; null where nothing does. Absent: they are not compared. */
  same?(evidence: EvidenceOf<K>): string | null;
  /** The member's own words and choices, for telling a newer answer from the one that is stored. */
  compared?(evidence: EvidenceOf<K>): string;
  /** How answers are counted together. Absent: they are not. */
  tally?: { options(setup: SetupOf<K>): readonly string[]; chosen(evidence: EvidenceOf<K>): readonly string[] };
  /** The right answers, for who may know them. With it answers are hidden from reviewers who have not passed themselves. */
  right?(setup: SetupOf<K>): NonNullable<ReviewItem['right']>;
  /** An answer in words, as the export of claims has it. */
  exported?(evidence: EvidenceOf<K>, setup: SetupOf<K>): string;
  /** How other products call this kind, and the setup of a row that has a link and nothing else; null where the link is none. */
  imported?: { words?: readonly string[]; bare?(link: string): SetupOf<K> | null };
}
