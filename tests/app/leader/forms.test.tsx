import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Announcements } from '../../../app/features/leader/announcements/announcements.tsx';
import { CommunityAdminScreen } from '../../../app/features/leader/community-admin-screen.tsx';
import { MemberRoom } from '../../../app/features/leader/members/member-room.tsx';
import { Review } from '../../../app/features/leader/review/review.tsx';
import { SeasonForm } from '../../../app/features/leader/season/season-form.tsx';
import { Seasons } from '../../../app/features/leader/season/seasons.tsx';
import { Settings } from '../../../app/features/leader/settings/settings.tsx';
import { GrantSheet } from '../../../app/features/leader/tasks/grant-sheet.tsx';
import { TaskEditor } from '../../../app/features/leader/tasks/task-editor.tsx';
import { SetupFields } from '../../../app/features/leader/tasks/task-fields.tsx';
import { beginning } from '../../../app/features/leader/wizard/wizard-draft.ts';
import { WizardScreen } from '../../../app/features/leader/wizard/wizard-screen.tsx';
import { LeaderSignupScreen } from '../../../app/features/onboarding/leader-signup-screen.tsx';
import { read } from '../../../app/lib/query.ts';
import { m } from '../../../app/paraglide/messages.js';
import { Toaster } from '../../../app/ui/toaster.tsx';
import type { CommunityDetail } from '../../../server/contract/communities.ts';
import type { Member } from '../../../server/contract/members.ts';
import type { Season } from '../../../server/contract/seasons.ts';
import type { LeaderTask, TaskSetup } from '../../../server/contract/tasks.ts';
import { dashboardOf, reviewItemOf, taskOf } from '../member/support.ts';
import { besideReview } from '../review-reads.ts';
import { draw, type FakeRequest, type FakeServer, fakeServer, json, refusal } from '../support.tsx';

const device = vi.hoisted(() => ({
  kept: [] as { path: string; body: unknown }[],
  /** How an act is kept: at once, unless a test says otherwise. */
  keep: async () => undefined as unknown,
}));
vi.mock('../../../app/lib/device.ts', () => ({
  holdsCommands: () => false,
  enqueue: async (entry: (typeof device.kept)[number]) => {
    device.kept.push(entry);
    await device.keep();
    return 'entry-1';
  },
  discardEntry: async () => true,
  retryEntry: async () => undefined,
  useOutbox: () => NONE,
  onDelivered: () => () => undefined,
  onDeliveries: () => () => undefined,
  onDeviceEvent: () => () => undefined,
}));
const NONE = vi.hoisted(() => []);
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const member: Member = {
  id: 'm1',
  displayName: 'Tomás Kral',
  telegramUsername: 'tomas',
  role: 'member',
  joinedAt: '2026-05-01T00:00:00.000Z',
  points: 120,
  lastActiveAt: null,
} as Member;
const away = () => Promise.reject(new TypeError('Failed to fetch'));
const press = (name: RegExp | string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const choose = (name: RegExp | string) => act(async () => void fireEvent.click(screen.getByRole('radio', { name })));
const write = (label: RegExp | string, value: string) =>
  act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));
const textIn = (label: RegExp | string) => (screen.getByLabelText(label) as HTMLInputElement).value;
const bodyOf = ({ init }: FakeRequest) => JSON.parse(String(init.body)) as Record<string, unknown>;
const keyOf = ({ init }: FakeRequest) => new Headers(init.headers).get('idempotency-key');
/** From now on the device takes its time to keep an act; answers what ends that. */
function slowDevice(): () => Promise<void> {
  const held: (() => void)[] = [];
  device.keep = () => new Promise<void>((done) => held.push(done));
  return () => act(async () => held.splice(0).forEach((done) => void done()));
}

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  server.answer(() => json({ items: [], next: null, waiting: 0 }));
  device.kept = [];
  device.keep = async () => undefined;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('a claim that was sent back is listed, and turned down as it was when it was seen', async () => {
  const item = reviewItemOf('one', '2026-11-21T09:00:00.000Z');
  const decidedAt = '2026-11-21T10:00:00.000Z';
  const back = { ...item.claim, version: 2, state: 'changes_requested' as const, decidedAt, reason: 'Say where' };
  server.answer(({ url }) => {
    const beside = besideReview(url);
    if (beside) return beside;
    const items = url.includes('state=changes_requested') ? [{ ...item, claim: back }] : [];
    return json({ items, next: null, waiting: 0 });
  });
  await draw(<Review community={community} />);
  await choose('Sent back');
  await screen.findByText(/Say where/);
  await press(/^Decide: Tomás Kral/);
  await screen.findByRole('article');
  await press('Reject');
  await press(/No answer came/);
  await press('Reject');
  expect(device.kept).toMatchObject([
    {
      path: '/api/communities/c1/claims/one/decision',
      body: { decision: 'reject', reason: 'No answer came.', version: 2 },
    },
  ]);
});

describe('an act that the device is still keeping', () => {
  test('is not done twice: a claim is decided once, however fast the reviewer presses', async () => {
    const items = [reviewItemOf('one', '2026-11-21T09:00:00.000Z'), reviewItemOf('two', '2026-11-21T10:00:00.000Z')];
    server.answer(({ url }) => besideReview(url) ?? json({ items, next: null, waiting: 2 }));
    await draw(<Review community={community} />);
    await screen.findByRole('article');
    const kept = slowDevice();
    await press('Approve');
    await press('Approve');
    await act(async () => void fireEvent.keyDown(document.body, { key: 'a' }));
    await kept();
    expect(device.kept.map(({ path }) => path)).toEqual(['/api/communities/c1/claims/one/decision']);
  });

  test('can be done again where it could not be kept', async () => {
    const items = [reviewItemOf('one', '2026-11-21T09:00:00.000Z')];
    server.answer(({ url }) => besideReview(url) ?? json({ items, next: null, waiting: 1 }));
    await draw(<Review community={community} />);
    await screen.findByRole('article');
    device.keep = () => Promise.reject(new Error('The disk is full'));
    await press('Approve');
    device.keep = async () => undefined;
    await press('Approve');
    expect(device.kept).toHaveLength(2);
  });

  test('is told to who cannot see which claim is open, and leads on when the last one is gone', async () => {
    let items = [reviewItemOf('one', '2026-11-21T09:00:00.000Z')];
    server.answer(({ url }) => besideReview(url) ?? json({ items, next: null, waiting: items.length }));
    const { client } = await draw(<Review community={community} />);
    await screen.findByRole('article');
    expect(screen.getByRole('status').textContent).toBe('1 of 1');
    screen.getByRole('button', { name: 'Approve' }).focus();
    items = [];
    await act(() => client.invalidateQueries());
    const empty = await screen.findByRole('heading', { name: 'Nothing to review' });
    expect(document.activeElement?.contains(empty)).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });

  test('is not done twice: an announcement goes out once', async () => {
    await draw(<Announcements communityId="c1" name="Ridge" />);
    await write('Title', 'Saturday');
    await write('What you want to say', 'We meet at ten.');
    await act(async () => void fireEvent.click(screen.getByLabelText(/^Also notify members/)));
    const kept = slowDevice();
    await press(m.compose_only_today({ today: m.shell_today() }));
    await press(m.compose_only_today({ today: m.shell_today() }));
    await kept();
    expect(device.kept).toHaveLength(1);
  });
});

describe('what was written stays where the device could not keep the act', () => {
  beforeEach(() => {
    device.keep = () => Promise.reject(new Error('The disk is full'));
  });

  test('points by hand', async () => {
    server.answer(away);
    const onGone = vi.fn();
    await draw(<MemberRoom communityId="c1" member={member} onGone={onGone} />);
    await write('Points', '20');
    await write('Reason', 'Carried the water');
    await press('Update points');
    expect([device.kept.length, textIn('Points'), textIn('Reason')]).toEqual([1, '20', 'Carried the water']);
    expect(onGone).not.toHaveBeenCalled();
    device.keep = async () => undefined;
    await press('Update points');
    expect(onGone).toHaveBeenCalledOnce();
  });

  test('a task that is given', async () => {
    server.answer(({ url }) => (url.includes('/members') ? json({ items: [member], next: null, total: 1 }) : json({})));
    const onClose = vi.fn();
    await draw(<GrantSheet communityId="c1" task={{ id: 't1', title: 'Sweep the path' }} onClose={onClose} />);
    await act(async () => void fireEvent.click(await screen.findByText('Tomás Kral')));
    await write('Reason', 'Swept it twice');
    await press('Give it');
    expect([onClose.mock.calls.length, textIn('Reason')]).toEqual([0, 'Swept it twice']);
    device.keep = async () => undefined;
    await press('Give it');
    expect(onClose).toHaveBeenCalledOnce();
  });
});

test('a role is sent when it is confirmed, not by every choice that is passed on the way to it', async () => {
  server.answer(away);
  const onGone = vi.fn();
  await draw(<MemberRoom communityId="c1" member={member} onGone={onGone} />);
  const choose = async (role: string) =>
    act(async () => void fireEvent.change(await screen.findByLabelText('Role'), { target: { value: role } }));
  await choose('leader');
  await choose('member');
  expect([device.kept.length, screen.queryByText(/^Change to/)]).toEqual([0, null]);
  await choose('moderator');
  await press('Change to Moderator');
  expect(device.kept.map(({ body }) => body)).toEqual([{ role: 'moderator' }]);
  expect(onGone).toHaveBeenCalledOnce();
});

test('a task that is written anew after its answer was lost is another command, the same one tried again is not', async () => {
  server.answer(away);
  await draw(<TaskEditor community={community} task={null} others={[]} onDone={() => undefined} />);
  await write('Title', 'Morning walk');
  await press('Publish');
  await press('Publish');
  await write('Title', 'Evening walk');
  await press('Publish');
  const sent = server.asked.filter(({ method }) => method === 'POST');
  const [first, again, other] = sent.map(keyOf);
  expect(sent.map((one) => bodyOf(one)['title'])).toEqual(['Morning walk', 'Morning walk', 'Evening walk']);
  expect([again === first, other === first]).toEqual([true, false]);
});

test('a kind that was passed on the way to another does not take what was written', async () => {
  await draw(<TaskEditor community={community} task={null} others={[]} onDone={() => undefined} />);
  await write('Kind', 'quiz');
  await write('What do you ask?', 'When is the water highest?');
  await write('Kind', 'poll');
  await write('Kind', 'quiz');
  expect(textIn('What do you ask?')).toBe('When is the water highest?');
});

test('a task that would be over before anybody sees it is not published', async () => {
  await draw(<TaskEditor community={community} task={null} others={[]} onDone={() => undefined} />);
  await write('Title', 'Morning walk');
  await write('Closes', '2020-01-02T10:00');
  await press('Publish');
  await screen.findByText('Choose a time in the future.');
  expect(server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('of a task that opens later it is not said that members see it', async () => {
  server.answer(({ init }) => json({ ...JSON.parse(String(init.body ?? '{}')), status: 'scheduled' }));
  await draw(
    <>
      <TaskEditor community={community} task={null} others={[]} onDone={() => undefined} />
      <Toaster />
    </>,
  );
  await write('Title', 'Morning walk');
  await write('Opens', '2099-01-02T10:00');
  await press('Publish');
  await screen.findByText(/^Opens Jan 2/);
  expect(screen.queryByText(m.leader_task_added_line({ today: m.shell_today() }))).toBeNull();
});

test('a pin that ends in the past is told of in its field, with the words still there', async () => {
  await draw(<Announcements communityId="c1" name="Ridge" />);
  await write('Title', 'Saturday');
  await write('What you want to say', 'We meet at ten.');
  await act(
    async () =>
      void fireEvent.click(screen.getByLabelText(new RegExp(`^${m.compose_pin({ today: m.shell_today() })}`))),
  );
  await write('Pin it until', '2020-01-02T10:00');
  await press(/^Send to/);
  screen.getByText('Choose a time in the future.');
  expect(device.kept).toEqual([]);
});

test('an address that was taken is no longer spoken of once another is written', async () => {
  const draft = { ...beginning(), step: 'tasks', name: 'Harbour Swimmers' };
  localStorage.setItem('muster-form:wizard', JSON.stringify(draft));
  const me = { id: 'u1', displayName: 'Ines', isVerified: true };
  const refusal = { status: 409, reason: 'SLUG_TAKEN', message: 'The address harbour-swimmers is taken.' };
  server.answer(({ method }) => (method === 'GET' ? json(me) : json(refusal, 409)));
  await draw(<WizardScreen />);
  await screen.findByRole('heading', { name: 'The first three tasks' });
  await press(/^Start the community/);
  await screen.findByText(refusal.message);
  await press('Name and address');
  screen.getByText(refusal.message);
  await write('Address', 'harbour-swim');
  expect(screen.queryByText(refusal.message)).toBeNull();
});

describe('a form of what is there', () => {
  const patched = () => server.asked.filter(({ method }) => method === 'PATCH').map(bodyOf);

  test('sends of a task what was changed in it: another leader may be at the rest', async () => {
    const task = {
      ...taskOf('t1', { title: 'Morning walk' }),
      setup: { kind: 'check_in' },
      status: 'scheduled',
      lockedBy: null,
    } as unknown as LeaderTask;
    await draw(<TaskEditor community={community} task={task} others={[]} onDone={() => undefined} />);
    await write('Title', 'Evening walk');
    await press('Save');
    expect(patched()).toEqual([{ title: 'Evening walk' }]);
  });

  test('keeps what was changed in a task over a reload, and gives it up with Cancel', async () => {
    const task = {
      ...taskOf('t1', { title: 'Morning walk' }),
      setup: { kind: 'check_in' },
      status: 'live',
      lockedBy: null,
    } as unknown as LeaderTask;
    const editor = () => <TaskEditor community={community} task={task} others={[]} onDone={() => undefined} />;
    await draw(editor());
    expect(screen.queryByText(/kept on this device/)).toBeNull();
    await write('What to do', 'Twice around the lake.');
    cleanup();
    await draw(editor());
    expect(textIn('What to do')).toBe('Twice around the lake.');
    screen.getByText(/kept on this device/);
    await press('Save');
    expect(patched()).toEqual([{ instructions: 'Twice around the lake.' }]);
    await press('Cancel');
    cleanup();
    await draw(editor());
    expect(textIn('What to do')).toBe(task.instructions);
  });

  test('sends of a season what was changed in it', async () => {
    const season = {
      id: 's1',
      name: 'Spring',
      rules: 'Be kind',
      startsAt: null,
      endsAt: '2099-03-01T10:00:30.000Z',
      graceHours: 2,
      taskIds: ['t1'],
    } as unknown as Season;
    await draw(<SeasonForm communityId="c1" tasks={[]} season={season} onDone={() => undefined} />);
    await write('Name', 'Early spring');
    await press('Save the season');
    expect(patched()).toEqual([{ name: 'Early spring' }]);
  });
});

test.each([
  [
    'COMMUNITY_SUSPENDED',
    'This community is suspended by the people who run this place.',
    'This community is suspended',
  ],
  ['NOT_ALLOWED', 'Wanda can let you in.', 'Leaders only'],
])('who is refused the tools reads why: %s', async (reason, words, title) => {
  const refused = refusal(403, reason, 'This community is suspended by the people who run this place.');
  server.answer(({ url }) => (url.endsWith('/admin') ? refused.clone() : json({ ...community, leaders: ['Wanda'] })));
  await draw(<CommunityAdminScreen community="hills" />);
  await screen.findByText(words);
  screen.getByRole('heading', { name: title });
});

test('an application that is written anew after its answer was lost is another command', async () => {
  const found = { mayLead: false, application: null, eligibility: [] };
  server.answer(({ method }) => (method === 'GET' ? json(found) : away()));
  await draw(<LeaderSignupScreen />);
  await screen.findByRole('button', { name: 'Send the application' });
  const [about, plan] = screen.getAllByRole('textbox') as HTMLTextAreaElement[];
  const fill = (field: HTMLTextAreaElement | undefined, value: string) =>
    act(async () => void (field && fireEvent.change(field, { target: { value } })));
  await fill(about, 'I have walked these hills for years.');
  await fill(plan, 'A walk on every Saturday morning.');
  await press('Send the application');
  await press('Send the application');
  await fill(plan, 'A walk on every Sunday morning.');
  await press('Send the application');
  const [first, again, other] = server.asked.filter(({ method }) => method === 'POST').map(keyOf);
  expect([again === first, other === first]).toEqual([true, false]);
});

test('a community says which languages it speaks: one is added, another taken away, and no more than there may be', async () => {
  const spoken = { ...community, rules: '', inviteThreshold: 20, languages: ['en'] } as unknown as CommunityDetail;
  server.answer(() => json(spoken));
  await draw(<Settings community={community} />);
  await screen.findByLabelText('Languages');
  await write('Languages', 'de');
  screen.getByRole('button', { name: 'Remove English' }).focus();
  await press('Remove English');
  expect(document.activeElement).toBe(screen.getByLabelText('Languages'));
  await press('Save');
  const [saved] = server.asked.filter(({ method }) => method === 'PATCH');
  expect(saved && bodyOf(saved)).toEqual({ languages: ['de'] });
  for (const code of ['fr', 'it', 'es', 'pt', 'nl', 'da', 'sv', 'fi']) await write('Languages', code);
  expect(screen.getAllByRole('button', { name: /^Remove / })).toHaveLength(8);
  screen.getByText('8 languages at most. Press one to remove it.');
});

test('settings show what another leader has changed meanwhile, and save only what was changed here', async () => {
  const reading = read('GET /api/communities/:communityId', { communityId: 'c1' });
  const copy = {
    ...community,
    description: 'An old description',
    rules: 'Old rules',
    tags: ['hills'],
    inviteThreshold: 20,
  } as unknown as CommunityDetail;
  server.answer(({ method }) => (method === 'GET' ? new Promise<never>(() => undefined) : json(community)));
  const { client } = await draw(<Settings community={community} />);
  await act(async () => void client.setQueryData(reading.queryKey, copy));
  await screen.findByLabelText('Rules');
  await write('Rules', 'New rules');
  await act(async () => void client.setQueryData(reading.queryKey, { ...copy, description: 'A new description' }));
  await vi.waitFor(() => expect(textIn('About')).toBe('A new description'));
  expect(textIn('Rules')).toBe('New rules');
  await press('Save');
  const [saved] = server.asked.filter(({ method }) => method === 'PATCH');
  expect(saved && bodyOf(saved)).toEqual({ rules: 'New rules' });
});

test('settings that were saved are the other leader’s to change again; what is not saved is there after a reload', async () => {
  const reading = read('GET /api/communities/:communityId', { communityId: 'c1' });
  const copy = { ...community, name: 'Old', description: '', rules: '', tags: ['hills'], inviteThreshold: 20 };
  server.answer(({ method }) => (method === 'GET' ? away() : json({ ...community, name: 'Mine', tags: ['hills'] })));
  const { client } = await draw(<Settings community={community} />);
  await act(async () => void client.setQueryData(reading.queryKey, copy as unknown as CommunityDetail));
  await screen.findByLabelText('Name');
  await write('Name', 'Mine');
  await press('Save');
  await vi.waitFor(() => expect(client.getQueryData(reading.queryKey)?.name).toBe('Mine'));
  await act(async () => void client.setQueryData(reading.queryKey, (found) => found && { ...found, name: 'Theirs' }));
  await vi.waitFor(() => expect(textIn('Name')).toBe('Theirs'));
  await write('Rules', 'Be on time');
  cleanup();
  const again = await draw(<Settings community={community} />);
  await act(async () => void again.client.setQueryData(reading.queryKey, copy as unknown as CommunityDetail));
  await vi.waitFor(() => expect(textIn('Rules')).toBe('Be on time'));
  await press('Save');
  const saved = server.asked.filter(({ method }) => method === 'PATCH').map(bodyOf);
  expect(saved).toEqual([{ name: 'Mine' }, { rules: 'Be on time' }]);
});

test('the state of the board is what another leader has made of it since', async () => {
  let state = 'open';
  server.answer(({ url, method, init }) => {
    if (method === 'PUT') state = (JSON.parse(String(init.body)) as { state: string }).state;
    return url.endsWith('/seasons') ? json([]) : json({ state, since: '2026-11-24T10:00:00.000Z' });
  });
  const { client } = await draw(<Seasons community={community} tasks={[]} />);
  const pressed = async () => (await screen.findByRole('radio', { name: 'Hidden' })).getAttribute('aria-checked');
  await screen.findByRole('radio', { name: 'Hidden' });
  await choose('Hidden');
  await vi.waitFor(async () => expect(await pressed()).toBe('true'));
  state = 'open';
  await act(async () => void (await client.refetchQueries()));
  await vi.waitFor(async () => expect(await pressed()).toBe('false'));
});

test('a season that is being planned is there again when its sheet was closed by mistake', async () => {
  const form = () => <SeasonForm communityId="c1" tasks={[]} season={null} onDone={() => undefined} />;
  await draw(form());
  await write('Name', 'Spring');
  await write('Rules', 'What is sent by the end counts.');
  cleanup();
  await draw(form());
  expect([textIn('Name'), textIn('Rules')]).toEqual(['Spring', 'What is sent by the end counts.']);
  server.answer(() => json({ id: 's1' }));
  await press('Save the season');
  await vi.waitFor(() => expect(textIn('Name')).toBe(''));
});

test('points that a first task cannot have are told of in their field', async () => {
  localStorage.setItem('muster-form:wizard', JSON.stringify({ ...beginning(), step: 'tasks', name: 'Hills' }));
  server.answer(() => json({ id: 'u1', displayName: 'Ines', isVerified: true }));
  await draw(<WizardScreen />);
  const [points] = await screen.findAllByLabelText('Points');
  await act(async () => void (points && fireEvent.change(points, { target: { value: '5000' } })));
  await press('Start the community');
  screen.getByText('Enter a whole number from 0 to 1,000.');
});

describe('a button that could not go on leads to what is wrong, far above it as it may be', () => {
  test('in the sheet of a season', async () => {
    await draw(<SeasonForm communityId="c1" tasks={[]} season={null} onDone={() => undefined} />);
    await press('Save the season');
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  });

  test('in the step of a wizard', async () => {
    localStorage.setItem('muster-form:wizard', JSON.stringify({ ...beginning(), step: 'name' }));
    server.answer(() => json({ id: 'u1', displayName: 'Ines', isVerified: true }));
    await draw(<WizardScreen />);
    await screen.findByLabelText('Name');
    await press('Next');
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  });

  test('in a folded part of a task', async () => {
    await draw(<TaskEditor community={community} task={null} others={[]} onDone={() => undefined} />);
    await write('Title', 'Morning walk');
    await write('Times in total', '0');
    const total = screen.getByLabelText('Times in total');
    expect(total.closest('details')?.open).toBe(false);
    await press('Publish');
    expect(total.closest('details')?.open).toBe(true);
    expect(document.activeElement).toBe(total);
  });
});

test.each([
  ['once', 'Counts once'],
  ['2026-11-22', 'Counts for Nov 22'],
  ['2026-W48', 'Counts for the week of Nov 23'],
  ['2021-W01', 'Counts for the week of Jan 4, 2021'],
  ['2026-11', 'Counts for November 2026'],
])('a reviewer reads for what a claim counts, not the key %s', async (period, words) => {
  const item = reviewItemOf('one', '2026-11-24T09:00:00.000Z');
  const items = [{ ...item, claim: { ...item.claim, period } }];
  server.answer(({ url }) => besideReview(url) ?? json({ items, next: null, waiting: 1 }));
  await draw(<Review community={community} />);
  await screen.findByText(words);
});

test('a number can be emptied and written anew; what is no number of these goes back to the last one that was', async () => {
  function Fields() {
    const [setup, setSetup] = useState<TaskSetup>({ kind: 'invite', needed: 7 });
    return (
      <>
        <SetupFields communityId="c1" setup={setup} found={new Set()} onSetup={setSetup} />
        <output>{JSON.stringify(setup)}</output>
      </>
    );
  }
  await draw(<Fields />);
  const field = screen.getByRole('spinbutton') as HTMLInputElement;
  const type = (value: string) => act(async () => void fireEvent.change(field, { target: { value } }));
  await type('');
  expect(field.value).toBe('');
  await type(`${field.value}8`);
  expect(screen.getByRole('status').textContent).toContain('"needed":8');
  await type('');
  await act(async () => void fireEvent.blur(field));
  expect([field.value, screen.getByRole('status').textContent]).toEqual(['8', '{"kind":"invite","needed":8}']);
});

test('a separator that was typed between two sites can be taken back', async () => {
  function Fields() {
    const [setup, setSetup] = useState<TaskSetup>({ kind: 'submit_url', hosts: [] });
    return (
      <>
        <SetupFields communityId="c1" setup={setup} found={new Set()} onSetup={setSetup} />
        <output>{JSON.stringify(setup)}</output>
      </>
    );
  }
  await draw(<Fields />);
  const label = 'Only links to these sites';
  await write(label, 'example.org,');
  for (let more = 0; more < 3 && textIn(label) !== 'example.org'; more += 1)
    await write(label, textIn(label).slice(0, -1));
  expect(textIn(label)).toBe('example.org');
  await write(label, 'example.org, example.com');
  expect(screen.getByRole('status').textContent).toContain('["example.org","example.com"]');
});

test('a season that is only planned is dropped by who is asked once more', async () => {
  const season = {
    id: 's1',
    name: 'Spring',
    state: 'draft',
    startsAt: null,
    endsAt: '2027-03-01T00:00:00.000Z',
    graceUntil: '2027-03-03T00:00:00.000Z',
    rules: '',
    graceHours: 48,
    taskIds: [],
    rewards: [],
  };
  server.answer(({ url, method }) => {
    if (method === 'DELETE') return json({ ok: true });
    return url.endsWith('/seasons') ? json([season]) : json({ state: 'open', items: [] });
  });
  await draw(<Seasons community={community} tasks={[]} />);
  await screen.findByRole('heading', { name: 'Spring' });
  const dropped = () => server.asked.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
  await press('Delete');
  expect(dropped()).toEqual([]);
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Spring”?' }));
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Delete' })));
  expect(dropped()).toEqual(['/api/communities/c1/seasons/s1']);
});
