import type { NewTask } from '../../../../server/contract/tasks.ts';
import { m } from '../../../paraglide/messages.js';

/** First tasks for a new community, each as the server accepts it, without its texts. */
export type Template = {
  id: string;
  title: () => string;
  instructions: () => string;
  task: Pick<NewTask, 'setup' | 'points' | 'recurrence'>;
};

export const TEMPLATES: readonly Template[] = [
  {
    id: 'check-in',
    title: m.leader_tpl_check_in,
    instructions: m.leader_tpl_check_in_how,
    task: { setup: { kind: 'check_in' }, points: 10, recurrence: 'daily' },
  },
  {
    id: 'hello',
    title: m.leader_tpl_hello,
    instructions: m.leader_tpl_hello_how,
    task: { setup: { kind: 'submit_text' }, points: 30, recurrence: 'once' },
  },
  {
    id: 'photo',
    title: m.leader_tpl_photo,
    instructions: m.leader_tpl_photo_how,
    task: { setup: { kind: 'submit_image' }, points: 40, recurrence: 'weekly' },
  },
  {
    id: 'link',
    title: m.leader_tpl_link,
    instructions: m.leader_tpl_link_how,
    task: { setup: { kind: 'submit_url', hosts: [] }, points: 30, recurrence: 'weekly' },
  },
  {
    id: 'bring',
    title: m.leader_tpl_bring,
    instructions: m.leader_tpl_bring_how,
    task: { setup: { kind: 'invite', needed: 1 }, points: 100, recurrence: 'once' },
  },
];
