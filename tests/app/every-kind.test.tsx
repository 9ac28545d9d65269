/** Each kind of task there is has all that a kind needs, on every screen that shows one. */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
import { differs } from '../../server/kinds/kinds.ts';
import { dashboardOf, reviewItemOf, taskOf } from './member/support.ts';
import { draw, fakeServer, json } from './support.tsx';

const NONE = vi.hoisted(() => []);
vi.mock('../../app/lib/device.ts', () => ({
  useOutbox: () => NONE,
  onDelivered: () => () => undefined,
  onDeviceEvent: () => () => undefined,
}));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
beforeEach(() => fakeServer().answer(() => json([])));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = '2026-11-21T09:00:00.000Z';
const ID = '00000000-0000-4000-8000-000000000001';
const choices = ['n', 's'].map((id) => ({ id, text: id }));
const POST = { post: 'https://x.com/ridge_walk/status/1234567890', about: 'The winter walk' };
/** What is asked, and two answers of which the second is another one; no answers: nothing is sent of this kind. */
const OF: Record<TaskKind, { ask: TaskAsk; answers: [] | [Evidence, Evidence | null] }> = {
  check_in: { ask: { kind: 'check_in' }, answers: [] },
  invite: { ask: { kind: 'invite', needed: 1 }, answers: [] },
  manual: { ask: { kind: 'manual' }, answers: [] },
  visit_link: {
    ask: { kind: 'visit_link', url: 'https://example.org/' },
    answers: [{ kind: 'visit_link', openedAt: AT }, null],
  },
  quiz: {
    ask: { kind: 'quiz', passPercent: 50, questions: [{ id: 'q', text: 'Where?', options: choices, multiple: false }] },
    answers: [{ kind: 'quiz', startedAt: AT, answers: [{ questionId: 'q', optionIds: ['n'] }] }, null],
  },
  telegram_event: {
    ask: { kind: 'telegram_event', place: 'The ford', startsAt: AT, endsAt: AT, publicKey: '' },
    answers: [{ kind: 'telegram_event', code: 'ABCD-EFGH' }, null],
  },
  submit_text: {
    ask: { kind: 'submit_text', minLength: 1 },
    answers: [
      { kind: 'submit_text', text: 'North' },
      { kind: 'submit_text', text: 'South' },
    ],
  },
  submit_url: {
    ask: { kind: 'submit_url', hosts: [] },
    answers: [
      { kind: 'submit_url', url: 'https://example.org/n' },
      { kind: 'submit_url', url: 'https://example.org/s' },
    ],
  },
  submit_image: {
    ask: { kind: 'submit_image' },
    answers: [
      { kind: 'submit_image', imageId: ID },
      { kind: 'submit_image', imageId: ID, note: 'South' },
    ],
  },
  poll: {
    ask: { kind: 'poll', choices, multiple: false },
    answers: [
      { kind: 'poll', optionIds: ['n'] },
      { kind: 'poll', optionIds: ['s'] },
    ],
  },
  number: {
    ask: { kind: 'number', unit: 'km', min: 0, max: null, decimals: 1 },
    answers: [
      { kind: 'number', value: 12.5 },
      { kind: 'number', value: 1 },
    ],
  },
  date: {
    ask: { kind: 'date', earliest: null, latest: null },
    answers: [
      { kind: 'date', date: '2026-11-20' },
      { kind: 'date', date: '2026-11-21' },
    ],
  },
  scale: {
    ask: { kind: 'scale', low: 'Never', high: 'Always' },
    answers: [
      { kind: 'scale', value: 8 },
      { kind: 'scale', value: 9 },
    ],
  },
  file: {
    ask: { kind: 'file' },
    answers: [
      { kind: 'file', fileId: ID, name: 'Report.pdf' },
      { kind: 'file', fileId: ID, name: 'Report.pdf', note: 'South' },
    ],
  },
  partner: {
    ask: { kind: 'partner', host: 'shop.example.org', asks: 'Order number' },
    answers: [
      { kind: 'partner', answer: '4711' },
      { kind: 'partner', answer: '4712' },
    ],
  },
  telegram_join: { ask: { kind: 'telegram_join', chat: 'group' }, answers: [{ kind: 'telegram_join' }, null] },
  telegram_chat: {
    ask: { kind: 'telegram_chat', needed: 2, minLength: 10 },
    answers: [{ kind: 'telegram_chat' }, null],
  },
  telegram_reaction: {
    ask: { kind: 'telegram_reaction', link: 'https://t.me/c/1234567890/42' },
    answers: [{ kind: 'telegram_reaction' }, null],
  },
  x_follow: { ask: { kind: 'x_follow', handle: 'ridge_walk' }, answers: [{ kind: 'x_follow', doneAt: AT }, null] },
  x_like: { ask: { kind: 'x_like', ...POST }, answers: [{ kind: 'x_like', doneAt: AT }, null] },
  x_repost: { ask: { kind: 'x_repost', ...POST }, answers: [{ kind: 'x_repost', doneAt: AT }, null] },
  x_reply: {
    ask: { kind: 'x_reply', ...POST },
    answers: [
      { kind: 'x_reply', url: `${POST.post}1` },
      { kind: 'x_reply', url: `${POST.post}2` },
    ],
  },
  x_quote: {
    ask: { kind: 'x_quote', ...POST },
    answers: [
      { kind: 'x_quote', url: `${POST.post}1` },
      { kind: 'x_quote', url: `${POST.post}2` },
    ],
  },
  x_post: {
    ask: { kind: 'x_post', text: 'We walk', hashtag: 'RidgeWalk', about: '' },
    answers: [
      { kind: 'x_post', url: `${POST.post}1` },
      { kind: 'x_post', url: `${POST.post}2` },
    ],
  },
};
/** What of the first answer is to be read on a receipt and in the review. */
const READ: Partial<Record<TaskKind, RegExp>> = {
  submit_text: /North/,
  submit_url: /example\.org\/n/,
  poll: /n/,
  number: /12\.5 km/,
  date: /20 Nov|Nov 20/,
  scale: /8 of 10/,
  file: /Report\.pdf/,
  partner: /Order number: 4711/,
};

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
  const { ask } = OF[kind];
  expect(TaskAsk.safeParse(ask).success).toBe(true);
  const view = viewTask('c1', taskOf('a', { kind, ask }), []);
  await draw(<FormOf communityId="c1" view={view} onDone={() => undefined} />);
  if (kind === 'manual') expect(document.body.textContent).not.toBe('');
  else expect(screen.getAllByRole('button').length).toBeGreaterThan(0);
});

const sent = TaskKind.options.filter((kind) => OF[kind].answers.length > 0);
test.each(sent)('%s: is read on its receipt and by who reviews, and told from another answer', async (kind) => {
  const { ask, answers } = OF[kind];
  const [one, other] = answers;
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
  const words = READ[kind];
  if (words) expect([receipt, review]).toEqual([expect.stringMatching(words), expect.stringMatching(words)]);
  expect(review).not.toMatch(/undefined|NaN|\[object/);
});
