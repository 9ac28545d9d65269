import type { NewCommunity } from '../../../../server/contract/communities.ts';
import {
  COMMUNITY_DESCRIPTION_MAX,
  INVITE_THRESHOLD_DEFAULT,
  INVITE_THRESHOLD_MAX,
  LINK_MAX,
  TASK_POINTS_MAX,
} from '../../../../server/contract/limits.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import type { NewTask } from '../../../../server/contract/tasks.ts';
import { slugProblem, suggestSlug } from '../../../lib/slug.ts';
import { wholeIn } from '../../../ui/typed-number.ts';
import { ownLanguages } from '../parts/languages.tsx';
import { tagsIn, tagsWrong } from '../parts/tags.ts';
import { TEMPLATES } from './templates.ts';

export const STEPS = ['name', 'telegram', 'rules', 'tasks', 'invite'] as const;
export type Step = (typeof STEPS)[number];
export type FirstTask = { template: string; title: string; points: string };

/** A community that exists only on this device, and the progress of creating it. */
export type WizardDraft = {
  step: Step;
  name: string;
  /** Null: derived from the name. */
  slug: string | null;
  description: string;
  tags: string;
  languages: string[];
  visibility: 'public' | 'private';
  chat: string;
  rules: string;
  threshold: string;
  tasks: FirstTask[];
  /** One idempotency key for each command, for all tries; a task has its template's. */
  keys: { community: string; settings: string; tasks: string[] };
  /** What the server has created so far. */
  made: { id: string; slug: string; name: string } | null;
  settingsMade: boolean;
  templatesMade: readonly string[];
};

export const FIRST_TASKS = 3;

export const beginning = (): WizardDraft => ({
  step: 'name',
  name: '',
  slug: null,
  description: '',
  tags: '',
  languages: ownLanguages(),
  visibility: 'public',
  chat: '',
  rules: '',
  threshold: String(INVITE_THRESHOLD_DEFAULT),
  tasks: TEMPLATES.slice(0, FIRST_TASKS).map(firstTaskOf),
  keys: {
    community: crypto.randomUUID(),
    settings: crypto.randomUUID(),
    tasks: TEMPLATES.map(() => crypto.randomUUID()),
  },
  made: null,
  settingsMade: false,
  templatesMade: [],
});

export function firstTaskOf({ id, title, task }: (typeof TEMPLATES)[number]): FirstTask {
  return { template: id, title: title(), points: String(task.points) };
}

export const slugOf = (draft: WizardDraft): string => draft.slug ?? suggestSlug(draft.name);

export type WizardProblem = 'name' | 'slug' | 'tags' | 'chat' | 'description' | 'threshold' | 'task';

/** Why a step cannot be completed. */
export function problemsOf(draft: WizardDraft, step: Step, productSlug: string): WizardProblem[] {
  if (step === 'name')
    return [
      ...(seenLength(draft.name) < 2 ? (['name'] as const) : []),
      ...(slugProblem(slugOf(draft), productSlug) ? (['slug'] as const) : []),
      ...(tagsWrong(tagsIn(draft.tags)) ? (['tags'] as const) : []),
    ];
  if (step === 'telegram') {
    if (!isChat(draft.chat.trim())) return ['chat'];
    return draft.description.trim().length > descriptionRoom(draft) ? ['description'] : [];
  }
  if (step === 'rules') return wholeIn(draft.threshold, 0, INVITE_THRESHOLD_MAX) === null ? ['threshold'] : [];
  if (step === 'tasks') {
    const wrong = draft.tasks.some(
      ({ title, points }) => seenLength(title) < 3 || wholeIn(points, 0, TASK_POINTS_MAX) === null,
    );
    return wrong ? ['task'] : [];
  }
  return [];
}
const isChat = (text: string): boolean =>
  text === '' || (text.length <= LINK_MAX && URL.canParse(text) && /^https:\/\/t\.me\/\S+$/.test(text));

/** Characters left for the description: the chat's address is appended to it. */
export const descriptionRoom = ({ chat }: WizardDraft): number =>
  Math.max(0, COMMUNITY_DESCRIPTION_MAX - (chat.trim() === '' ? 0 : chat.trim().length + 1));

export function communityOf(draft: WizardDraft): NewCommunity {
  const description = [draft.description.trim(), draft.chat.trim()].filter(Boolean).join('\n');
  return {
    name: draft.name.trim(),
    slug: slugOf(draft),
    description,
    rules: draft.rules.trim(),
    tags: tagsIn(draft.tags),
    languages: draft.languages,
    visibility: draft.visibility,
  };
}

export const tasksOf = (draft: WizardDraft): NewTask[] => commandsOf(draft).map(({ body }) => body);

/** Tasks that are not created yet: after a failed run, others may have been chosen. */
export const tasksLeft = (draft: WizardDraft) =>
  commandsOf(draft).filter(({ template }) => !draft.templatesMade.includes(template));

type TaskCommand = { template: string; body: NewTask; key: string };

function commandsOf({ tasks, keys }: WizardDraft): TaskCommand[] {
  return tasks.flatMap(({ template, title, points }) => {
    const at = TEMPLATES.findIndex(({ id }) => id === template);
    const found = TEMPLATES[at];
    if (!found) return [];
    const worth = wholeIn(points, 0, TASK_POINTS_MAX) ?? found.task.points;
    const body = { ...found.task, title: title.trim(), instructions: found.instructions(), points: worth };
    return [{ template, body, key: keys.tasks[at] ?? crypto.randomUUID() }];
  });
}
