/** What the app asks of a task kind. Each kind answers in a folder of its own; `kinds`, `member` and `leader` list them. */
import type { ReactNode } from 'react';
import type { Evidence } from '../../server/contract/claims.ts';
import type { ReviewItem } from '../../server/contract/review.ts';
import type { Recurrence, TaskAsk, TaskKind, TaskSetup } from '../../server/contract/tasks.ts';
import type { FormProps } from '../shared/answers/answer-form.tsx';

export type SetupOf<K extends TaskKind> = Extract<TaskSetup, { kind: K }>;
export type AskOf<K extends TaskKind> = Extract<TaskAsk, { kind: K }>;
export type EvidenceOf<K extends TaskKind> = Extract<Evidence, { kind: K }>;

/**
 * How soon an answer counts, and who decides: nobody, where a press is all there is or any answer counts; a key of answers; a
 * reviewer; the server, another service or a reviewer; a leader who gives it unasked; the members who are invited.
 */
export type Pace =
  | 'by-a-press'
  | 'at-once'
  | 'when-right'
  | 'when-reviewed'
  | 'when-checked'
  | 'when-given'
  | 'when-others-came';

/** What lists, lines and filters ask. Every page that names a kind loads it: forms and editors are in the other registries. */
export interface Kind<K extends TaskKind = TaskKind> {
  word(): string;
  pace: Pace;
  /** What the button says that starts it. Absent: the kind's word. */
  startWord?(): string;
  /** What a task that is open asks, in a line. Absent: the kind's word and how often it can be done. */
  openLine?(ask: AskOf<K>): string;
  needsConnection?(ask: AskOf<K>): boolean;
  /** When it takes place, ISO 8601. Absent: whenever the task is open. */
  hours?(ask: AskOf<K>): { startsAt: string; endsAt: string };
  /** Whose program decides, where it is another service. */
  checker?(ask: AskOf<K>): string;
  /** An answer in a line. Absent: it is words, a picture, a file or choices. */
  line?(ask: AskOf<K>, evidence: EvidenceOf<K>): string;
  /** What an answer had to be, beside the task's own words. */
  askedLine?(ask: AskOf<K>): string | null;
}

type View<Props> = (props: Props) => ReactNode;

/** What a member sees of a kind where they answer, and on their receipt. */
export interface MemberParts<K extends TaskKind = TaskKind> {
  Form: View<FormProps & { ask: AskOf<K> }>;
  /** An answer beside its line and its words. */
  Sent?: View<{ communityId: string; ask: AskOf<K>; evidence: EvidenceOf<K> }>;
  /** How all answers stand, for a member whose own is counted. */
  Stands?: View<{ communityId: string; taskId: string; ask: AskOf<K> }>;
}

export type FieldsProps<K extends TaskKind> = {
  communityId: string;
  setup: SetupOf<K>;
  /** Problems that are shown by now. */
  found: ReadonlySet<string>;
  onSetup: (setup: SetupOf<K>) => void;
};
export type ReviewedProps<K extends TaskKind> = {
  item: ReviewItem;
  communityId: string;
  ask: AskOf<K>;
  evidence: EvidenceOf<K>;
  /** Whether the keys of the desk are at this answer. */
  isOpen: boolean;
};

/** What a leader's editor and the review desk ask. */
export interface LeaderParts<K extends TaskKind = TaskKind> {
  hint(): string;
  usualPoints: number;
  /** Absent: once. */
  usualRecurrence?: Recurrence;
  /** The wait after a failed try. Absent: none is usual. */
  coolDown?: { usualMinutes: number; hint(setup: SetupOf<K>): string };
  /** Whether its tasks have a secret, which signs the requests that ask another service. */
  isSigned?: true;
  empty(now: number): SetupOf<K>;
  /**
   * What is not right yet, by names that `Fields` knows.
   * @param now epoch ms, for a task that nobody has seen yet: it has to be open at some time to come
   */
  problems?(setup: SetupOf<K>, now: number | null): string[];
  /** Without the blanks that people leave. */
  tidy?(setup: SetupOf<K>): SetupOf<K>;
  /** What a member would be asked: nothing of it gives an answer away. */
  preview(setup: SetupOf<K>): AskOf<K>;
  Fields?: View<FieldsProps<K>>;
  /** What is to be known of points for it. */
  PointsNote?: View<{ communityId: string }>;
  /** An answer as its reviewer reads it. Absent: its line, or its words. */
  Reviewed?: View<ReviewedProps<K>>;
  /** In its place where the reader may not know it yet. */
  Hidden?: View<Pick<ReviewedProps<K>, 'item' | 'ask'>>;
  /** How all answers stand. */
  Stands?: View<{ communityId: string; taskId: string; ask: AskOf<K> }>;
}
