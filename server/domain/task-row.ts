import type { Conditions, Task, TaskAsk, TaskKind, TaskSetup, Window } from '../contract/tasks.ts';
import { askDate } from './kinds/date.ts';
import { askNumber } from './kinds/number.ts';
import { askPartner } from './kinds/partner.ts';
import { askScale } from './kinds/scale.ts';

/** Times are text where the row came as JSON. */
type Time = Date | string;
export type TaskRow = Pick<Task, 'id' | 'kind' | 'title' | 'instructions' | 'points' | 'recurrence'> & {
  status: 'draft' | 'live' | 'archived';
  config: Record<string, unknown>;
  opensAt: Time | null;
  closesAt: Time | null;
  localWindow: Window | null;
  capTotal: number | null;
  capMember: number | null;
  coolDownMinutes: number;
  conditions: Conditions | null;
};
/** What of a task decides who may do it when. */
export type GatedRow = Omit<TaskRow, 'title' | 'instructions' | 'points' | 'recurrence'>;

const iso = (at: Time | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A row as every member who may see the task gets it. */
export const taskOf = (row: TaskRow, now: Date): Task => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  instructions: row.instructions,
  points: row.points,
  recurrence: row.recurrence,
  status: row.status === 'live' && row.opensAt !== null && new Date(row.opensAt) > now ? 'scheduled' : row.status,
  schedule: { opensAt: iso(row.opensAt), closesAt: iso(row.closesAt), window: row.localWindow },
  caps: { total: row.capTotal, member: row.capMember, coolDownMinutes: row.coolDownMinutes },
  conditions: row.conditions,
});

/** What a leader set. Config is written only through the contract's `TaskSetup`, so it is one without its kind. */
export const setupOf = (row: { kind: TaskKind; config: Record<string, unknown> }): TaskSetup =>
  ({ kind: row.kind, ...row.config }) as TaskSetup;

/**
 * What a member gets of a task to answer. Every field is listed here, so no right answer slips through. `inOrder`
 * shuffles questions, and the options of the given question, per member; `publicKey` is base64url.
 */
export function askOf(
  setup: TaskSetup,
  { publicKey, inOrder }: { publicKey: string; inOrder: <T>(items: readonly T[], question: string | null) => T[] },
): TaskAsk {
  switch (setup.kind) {
    case 'visit_link':
      return { kind: setup.kind, url: setup.url };
    case 'quiz':
      return {
        kind: setup.kind,
        passPercent: setup.passPercent,
        ...(setup.pack && { pack: { title: setup.pack.title ?? '', count: setup.pack.count } }),
        questions: inOrder(setup.questions, null).map(({ id, text, options, correct }) => ({
          id,
          text,
          options: inOrder(options, id),
          multiple: correct.length > 1,
        })),
      };
    case 'submit_text':
      return { kind: setup.kind, minLength: setup.minLength ?? 1 };
    case 'submit_url':
      return { kind: setup.kind, hosts: setup.hosts };
    case 'poll':
      return { kind: setup.kind, choices: setup.choices, multiple: setup.multiple };
    case 'invite':
      return { kind: setup.kind, needed: setup.needed };
    case 'telegram_event':
      return {
        kind: setup.kind,
        place: setup.place,
        startsAt: setup.startsAt,
        endsAt: setup.endsAt,
        publicKey,
      };
    case 'telegram_join':
      return { kind: setup.kind, chat: setup.chat };
    case 'telegram_chat':
      return { kind: setup.kind, needed: setup.needed, minLength: setup.minLength };
    case 'telegram_reaction':
      return { kind: setup.kind, link: setup.link };
    case 'number':
      return askNumber(setup);
    case 'date':
      return askDate(setup);
    case 'scale':
      return askScale(setup);
    case 'partner':
      return askPartner(setup);
    case 'x_follow':
    case 'x_like':
    case 'x_repost':
    case 'x_reply':
    case 'x_quote':
    case 'x_post':
      return setup;
    case 'check_in':
    case 'submit_image':
    case 'file':
    case 'manual':
      return { kind: setup.kind };
  }
}
