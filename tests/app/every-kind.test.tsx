/** Each kind of task there is has all that a kind needs, on every screen that shows one. */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ReviewCard } from '../../app/features/leader/review/review-card.tsx';
import { emptyDraft, pointsOf, previewOf } from '../../app/features/leader/tasks/task-draft.ts';
import { TaskEditor } from '../../app/features/leader/tasks/task-editor.tsx';
import { SetupFields, What } from '../../app/features/leader/tasks/task-fields.tsx';
import { kindWord } from '../../app/kinds/kinds.ts';
import { emptySetup, KINDS } from '../../app/kinds/leader.ts';
import { FormOf, Sent } from '../../app/kinds/member.tsx';
import { m } from '../../app/paraglide/messages.js';
import { viewTask } from '../../app/shared/tasks/task-view.ts';
import { Evidence } from '../../server/contract/claims.ts';
import { TaskAsk, TaskKind } from '../../server/contract/tasks.ts';
import { askOf, differs } from '../../server/kinds/kinds.ts';
import { EVERY_KIND } from '../support/kind-samples.ts';
import { dashboardOf, reviewItemOf, taskOf } from './member/support.ts';
import { draw, fakeServer, json } from './support.tsx';

vi.mock('../../app/lib/device.ts', () => import('./quiet-device.ts'));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
beforeEach(() => fakeServer().answer(() => json([])));

const AT = '2026-11-21T09:00:00.000Z';
/** What a member is asked for the sample of a kind. */
const askFor = (kind: TaskKind) => askOf(EVERY_KIND[kind].setup, { publicKey: '', inOrder: (items) => [...items] });

test.each(TaskKind.options)('%s: is written by a leader, with its word, its hint and its preview', async (kind) => {
  expect(KINDS).toContain(kind);
  expect(kindWord(kind)).not.toBe('');
  const draft = { ...emptyDraft(Date.parse(AT)), setup: emptySetup(kind, Date.parse(AT)) };
  expect(Number(pointsOf(draft))).toBeGreaterThanOrEqual(0);
  expect(previewOf(draft, 'A title').ask.kind).toBe(kind);
  await draw(
    <>
      <What draft={draft} found={new Set()} isNew onChange={() => undefined} />
      <SetupFields communityId="c1" setup={draft.setup} found={new Set()} onSetup={() => undefined} />
    </>,
  );
  const choice = document.querySelector('select') as HTMLSelectElement;
  expect(choice.value).toBe(kind);
  expect(document.getElementById(choice.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(/\.$/);
  for (const field of document.querySelectorAll<HTMLInputElement>('input'))
    expect(field.labels?.length || field.getAttribute('aria-label'), field.outerHTML).toBeTruthy();
});

test('a check-in is daily and all else once, as their leader chooses the kind', async () => {
  const onChange = vi.fn();
  const draft = emptyDraft(Date.parse(AT));
  await draw(<What draft={draft} found={new Set()} isNew onChange={onChange} />);
  const choose = (value: string) => fireEvent.change(screen.getByRole('combobox'), { target: { value } });
  choose('poll');
  expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ recurrence: 'once' }));
  cleanup();
  await draw(<What draft={{ ...draft, setup: emptySetup('poll', 0) }} found={new Set()} isNew onChange={onChange} />);
  choose('check_in');
  expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ recurrence: 'daily' }));
});

test('the secret of a partner task is at hand in its editor, and no other task has one', async () => {
  const community = { ...dashboardOf([]).community, role: 'leader' as const };
  const edited = async (kind: TaskKind) => {
    const task = { ...taskOf('a', { kind }), setup: emptySetup(kind, Date.parse(AT)), lockedBy: null };
    const claims = { waiting: 0, approved: 0, rejected: 0 };
    await draw(
      <TaskEditor
        community={community}
        task={{ ...task, createdAt: AT, claims }}
        others={[]}
        onDone={() => undefined}
      />,
    );
    const isSigned = screen.queryByRole('heading', { name: m.kinds_edit_secret_title() }) !== null;
    cleanup();
    return isSigned;
  };
  expect([await edited('partner'), await edited('poll')]).toEqual([true, false]);
});

test.each(TaskKind.options)('%s: is answered by a member', async (kind) => {
  const ask = askFor(kind);
  expect(TaskAsk.safeParse(ask).success).toBe(true);
  const view = viewTask('c1', taskOf('a', { kind, ask }), []);
  await draw(<FormOf communityId="c1" view={view} onDone={() => undefined} />);
  if (kind === 'manual') expect(document.body.textContent).not.toBe('');
  else expect(screen.getAllByRole('button').length).toBeGreaterThan(0);
});

const sent = TaskKind.options.filter((kind) => EVERY_KIND[kind].evidence);
test.each(sent)('%s: is read on its receipt and by who reviews, and told from another answer', async (kind) => {
  const ask = askFor(kind);
  const { evidence: one, other, answer, shown } = EVERY_KIND[kind];
  if (!one) return;
  expect(Evidence.safeParse(one).success).toBe(true);
  expect(differs(one, one)).toBe(false);
  if (other) expect(differs(one, other)).toBe(true);
  await draw(<Sent communityId="c1" ask={ask} evidence={one} />);
  const receipt = document.body.textContent ?? '';
  cleanup();
  const item = reviewItemOf('one', AT);
  const claim = { ...item.claim, evidence: one };
  await draw(<ReviewCard item={{ ...item, task: { ...item.task, kind }, ask, claim }} communityId="c1" />);
  const review = screen.getByRole('article').textContent ?? '';
  for (const text of [receipt, review])
    if (shown) expect(text).toMatch(shown);
    else if (answer) expect(text).toContain(answer);
  expect(review).not.toMatch(/undefined|NaN|\[object/);
});
