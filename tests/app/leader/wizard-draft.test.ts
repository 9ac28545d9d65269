import { describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../app/features/leader/wizard/templates.ts';
import {
  beginning,
  communityOf,
  descriptionRoom,
  type FirstTask,
  firstTaskOf,
  problemsOf,
  STEPS,
  tasksLeft,
  tasksOf,
} from '../../../app/features/leader/wizard/wizard-draft.ts';
import { ceilingOf } from '../../../app/ui/chart.tsx';
import { NewCommunity } from '../../../server/contract/communities.ts';
import { NewTask } from '../../../server/contract/tasks.ts';

describe('a community that is only on the device yet', () => {
  it('is taken by the contract once every step may be left', () => {
    const draft = {
      ...beginning(),
      name: 'Harbour Swimmers',
      chat: 'https://t.me/harbour',
      tags: 'Water, cold, water',
      languages: ['de', 'en'],
    };
    expect(STEPS.flatMap((step) => problemsOf(draft, step, 'muster'))).toEqual([]);
    const body = communityOf(draft);
    expect(NewCommunity.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      slug: 'harbour-swimmers',
      tags: ['water', 'cold'],
      languages: ['de', 'en'],
      description: 'https://t.me/harbour',
    });
  });

  it('does not go on without a name, with an address of ours or with a chat that is none', () => {
    const draft = beginning();
    expect(problemsOf(draft, 'name', 'muster')).toEqual(['name', 'slug']);
    expect(problemsOf({ ...draft, name: 'Admin' }, 'name', 'muster')).toEqual(['slug']);
    expect(problemsOf({ ...draft, chat: 'https://example.org' }, 'telegram', 'muster')).toEqual(['chat']);
    expect(problemsOf({ ...draft, threshold: '-1' }, 'rules', 'muster')).toEqual(['threshold']);
  });

  it('is not led on with what the server would refuse at its end: too long a tag, too much said beside the chat', () => {
    const draft = { ...beginning(), name: 'Harbour Swimmers', chat: 'https://t.me/harbour' };
    const room = descriptionRoom(draft);
    const full = { ...draft, description: 'x'.repeat(room) };
    expect(problemsOf(full, 'telegram', 'muster')).toEqual([]);
    expect(NewCommunity.safeParse(communityOf(full)).error).toBeUndefined();
    expect(problemsOf({ ...full, description: `${full.description}x` }, 'telegram', 'muster')).toEqual(['description']);
    const tagged = (length: number) => ({ ...draft, tags: `sea, ${'x'.repeat(length)}` });
    expect(problemsOf(tagged(24), 'name', 'muster')).toEqual([]);
    expect(NewCommunity.safeParse(communityOf(tagged(24))).error).toBeUndefined();
    expect(problemsOf(tagged(25), 'name', 'muster')).toEqual(['tags']);
  });

  it('begins with tasks that the server takes, each of the templates', () => {
    const draft = { ...beginning(), tasks: TEMPLATES.map(firstTaskOf) };
    const bodies = tasksOf(draft);
    expect(bodies).toHaveLength(TEMPLATES.length);
    for (const body of bodies) expect(NewTask.safeParse(body).error).toBeUndefined();
    expect(problemsOf({ ...draft, tasks: [{ template: 'hello', title: 'a', points: '10' }] }, 'tasks', 'x')).toEqual([
      'task',
    ]);
  });
});

describe('a run that failed in its middle', () => {
  const [first, second, third] = TEMPLATES.map(firstTaskOf) as [FirstTask, FirstTask, FirstTask];
  const made = (tasks: FirstTask[], ...templatesMade: string[]) =>
    tasksLeft({ ...draft, tasks, templatesMade }).map(({ template, key }) => ({ template, key }));
  const draft = beginning();

  it('makes what is left, whatever is chosen by then, each under the key that it had', () => {
    const [one, two, three] = made([first, second, third]);
    expect([one, two, three].map((each) => each?.template)).toEqual(
      [first, second, third].map((each) => each.template),
    );
    expect(made([second, third], first.template)).toEqual([two, three]);
    expect(made([third, first], first.template)).toEqual([three]);
  });
});

describe('the scale of a chart', () => {
  it('ends at the next round number, and never at nothing', () => {
    expect([[], [0], [1], [3], [12], [51], [100], [101]].map((values) => ceilingOf(values))).toEqual([
      1, 1, 1, 5, 20, 100, 100, 200,
    ]);
  });
});
