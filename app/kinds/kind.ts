/** What the app needs from a task kind. Each kind has its own folder; `kinds`, `member` and `leader` list them. */
import type { ReactNode } from 'react';
import type { Evidence } from '../../server/contract/claims.ts';
import type { ReviewItem } from '../../server/contract/review.ts';
import type { Recurrence, TaskAsk, TaskKind, TaskSetup } from '../../server/contract/tasks.ts';
import type { FormProps } from '../shared/answers/answer-form.tsx';

export type SetupOf<K extends TaskKind> = Extract<TaskSetup, { kind: K }>;
export type AskOf<K extends TaskKind> = Extract<TaskAsk, { kind: K }>;
export type EvidenceOf<K extends TaskKind> = Extract<Evidence, { kind: K }>;

/**
 * How soon an answer counts, and who decides: nobody, when a press or any answer counts; an answer key; a reviewer; the
 * server, another service or a reviewer; a leader who awards it; the invited members.
 */
export type Pace =
  | 'by-a-press'
  | 'at-once'
  | 'when-right'
  | 'when-reviewed'
  | 'when-checked'
  | 'when-given'
  | 'when-others-came';

/** For lists, lines and filters. Every page that names a kind loads it, so forms and editors are elsewhere. */
export interface Kind<K extends TaskKind = TaskKind> {
  word(): string;
  pace: Pace;
  /** Label of the button that starts it. Default: the kind's word. */
  startWord?(): string;
  /** An open task's question in a line. Default: the kind's word and its frequency. */
  openLine?(ask: AskOf<K>): string;
  needsConnection?(ask: AskOf<K>): boolean;
  /** When it takes place, ISO 8601. Default: while the task is open. */
  hours?(ask: AskOf<K>): { startsAt: string; endsAt: string };
  /** Name of the other service that decides, if any. */
  checker?(ask: AskOf<K>): string;
  /** An answer in a line. Absent for text, pictures, files and choices. */
  line?(ask: AskOf<K>, evidence: EvidenceOf<K>): string;
  /** The answer's constraints, beside the task's own text. */
  constraintLine?(ask: AskOf<K>): string | null;
}

type View<Props> = (props: Props) => ReactNode;

/** A kind's parts on the member's form and receipt. */
export interface MemberParts<K extends TaskKind = TaskKind> {
  Form: View<FormProps & { ask: AskOf<K> }>;
  /** Parts of an answer beyond its line and text. */
  Sent?: View<{ communityId: string; ask: AskOf<K>; evidence: EvidenceOf<K> }>;
  /** The results of all answers, for a member whose own is counted. */
  Stands?: View<{ communityId: string; taskId: string; ask: AskOf<K> }>;
}

export type FieldsProps<K extends TaskKind> = {
  communityId: string;
  setup: SetupOf<K>;
  /** Problems shown so far. */
  found: ReadonlySet<string>;
  onSetup: (setup: SetupOf<K>) => void;
};
export type ReviewedProps<K extends TaskKind> = {
  item: ReviewItem;
  communityId: string;
  ask: AskOf<K>;
  evidence: EvidenceOf<K>;
  /** Whether the desk's keys apply to this answer. */
  isOpen: boolean;
};

/** A kind's parts in the leader's editor and on the review desk. */
export interface LeaderParts<K extends TaskKind = TaskKind> {
  hint(): string;
  usualPoints: number;
  /** Default: once. */
  usualRecurrence?: Recurrence;
  /** The wait after a failed try. Default: none. */
  coolDown?: { usualMinutes: number; hint(setup: SetupOf<K>): string };
  /** Whether its tasks have a secret that signs the requests to another service. */
  isSigned?: true;
  empty(now: number): SetupOf<K>;
  /**
   * Problems, under names that `Fields` knows.
   * @param now epoch ms, for an unpublished task, which must still open in the future
   */
  problems?(setup: SetupOf<K>, now: number | null): string[];
  /** Without stray spaces. */
  tidy?(setup: SetupOf<K>): SetupOf<K>;
  /** A preview of the member's question, which reveals no answer. */
  preview(setup: SetupOf<K>): AskOf<K>;
  Fields?: View<FieldsProps<K>>;
  /** A note about its points. */
  PointsNote?: View<{ communityId: string }>;
  /** A reviewer's view of an answer. Default: its line or its text. */
  Reviewed?: View<ReviewedProps<K>>;
  /** Replaces it for a reader who may not see it yet. */
  Hidden?: View<Pick<ReviewedProps<K>, 'item' | 'ask'>>;
  /** The results of all answers. */
  Stands?: View<{ communityId: string; taskId: string; ask: AskOf<K> }>;
}
