import type { Recurrence, TaskKind } from '../../../server/contract/tasks.ts';
import { m } from '../../paraglide/messages.js';

/** A task template: its kind, frequency, and text to adapt. */
export type TaskTemplate = {
  id: string;
  kind: TaskKind;
  recurrence: Recurrence;
  title: () => string;
  instructions: () => string;
};

export const TASK_TEMPLATES = [
  {
    id: 'check-in',
    kind: 'check_in',
    recurrence: 'daily',
    title: m.tools_tpl_check_in,
    instructions: m.tools_tpl_check_in_how,
  },
  {
    id: 'read',
    kind: 'visit_link',
    recurrence: 'once',
    title: m.tools_tpl_read,
    instructions: m.tools_tpl_read_how,
  },
  {
    id: 'quiz',
    kind: 'quiz',
    recurrence: 'once',
    title: m.tools_tpl_quiz,
    instructions: m.tools_tpl_quiz_how,
  },
  {
    id: 'hello',
    kind: 'submit_text',
    recurrence: 'once',
    title: m.tools_tpl_hello,
    instructions: m.tools_tpl_hello_how,
  },
  {
    id: 'feedback',
    kind: 'submit_text',
    recurrence: 'weekly',
    title: m.tools_tpl_feedback,
    instructions: m.tools_tpl_feedback_how,
  },
  {
    id: 'answer',
    kind: 'submit_text',
    recurrence: 'weekly',
    title: m.tools_tpl_answer,
    instructions: m.tools_tpl_answer_how,
  },
  {
    id: 'share',
    kind: 'submit_url',
    recurrence: 'weekly',
    title: m.tools_tpl_share,
    instructions: m.tools_tpl_share_how,
  },
  {
    id: 'photo',
    kind: 'submit_image',
    recurrence: 'weekly',
    title: m.tools_tpl_photo,
    instructions: m.tools_tpl_photo_how,
  },
  {
    id: 'vote',
    kind: 'poll',
    recurrence: 'once',
    title: m.tools_tpl_vote,
    instructions: m.tools_tpl_vote_how,
  },
  {
    id: 'invite',
    kind: 'invite',
    recurrence: 'once',
    title: m.tools_tpl_invite,
    instructions: m.tools_tpl_invite_how,
  },
  {
    id: 'meetup',
    kind: 'telegram_event',
    recurrence: 'once',
    title: m.tools_tpl_meetup,
    instructions: m.tools_tpl_meetup_how,
  },
  {
    id: 'help',
    kind: 'manual',
    recurrence: 'once',
    title: m.tools_tpl_help,
    instructions: m.tools_tpl_help_how,
  },
] as const satisfies readonly TaskTemplate[];
