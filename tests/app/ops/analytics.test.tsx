import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AnalyticsScreen } from '../../../app/features/ops/analytics/analytics-screen.tsx';
import { aUser, click, draw, fill, json, refusal, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const RANGE = { range: { from: '2026-11-18', to: '2026-11-24' }, countedAt: '2026-11-25T08:00:00.000Z' };
const DAYS = ['18', '19', '20', '21', '22', '23', '24'].map((day) => `2026-11-${day}`);
const answers = (): Record<string, unknown> => ({
  communities: [{ id: 'c1', slug: 'ridge', name: 'Ridge & Valley Walkers' }],
  people: {
    ...RANGE,
    uncounted: 2,
    active: { day: 204, week: 496, month: 812 },
    days: DAYS.map((starts, at) => ({ starts, people: 198 + at })),
    weeks: [{ starts: '2026-11-16', people: 496 }],
    months: [{ starts: '2026-11-01', people: 812 }],
  },
  retention: {
    ...RANGE,
    cohorts: [
      {
        from: '2026-10-14',
        people: 100,
        day1: { due: 100, back: 41 },
        day7: { due: 100, back: 28 },
        day30: { due: 60, back: 12 },
      },
      {
        from: '2026-11-11',
        people: 20,
        day1: { due: 20, back: 11 },
        day7: { due: 0, back: 0 },
        day30: { due: 0, back: 0 },
      },
    ],
  },
  funnel: {
    ...RANGE,
    steps: [
      { step: 'landing', count: 4_210 },
      { step: 'telegram', count: 1_630 },
      { step: 'x', count: 742 },
      { step: 'verified', count: 688 },
    ],
  },
  reviews: {
    ...RANGE,
    decisions: 10,
    minutes: { p50: 190, p95: 1_140 },
    buckets: [
      { fromMinutes: 0, toMinutes: 60, count: 4 },
      { fromMinutes: 60, toMinutes: null, count: 6 },
    ],
    waiting: { count: 0, oldestAt: null },
  },
  push: { ...RANGE, days: DAYS.map((day) => ({ day, sent: 0, gone: 0, failed: 0, shown: 0, opened: 0 })) },
  installs: {
    ...RANGE,
    days: DAYS.map((day) => ({ day, installs: 1 })),
    devices: [
      { display: 'standalone', count: 3 },
      { display: 'browser', count: 1 },
    ],
  },
  offline: { ...RANGE, days: DAYS.map((day) => ({ day, made: 50, late: 7 })), minutes: { p50: 12, p95: 700 } },
  tasks: {
    ...RANGE,
    tasks: [{ taskId: 't', title: 'Photo of the ridge', community: 'Ridge', made: 9, approved: 7, refused: 2 }],
    more: 0,
  },
});

let me: object | null;
let broken: string[];
const server = serverOfEach(({ url }) => {
  if (url === '/api/auth/user') return me === null ? refusal(401, 'NOT_SIGNED_IN') : json(me);
  const widget = /analytics\/(\w+)/.exec(url)?.[1] ?? '';
  return broken.includes(widget) ? refusal(422, 'BROKEN', `${widget} is broken`) : json(answers()[widget]);
});
beforeEach(() => {
  me = { ...aUser, role: 'ops' };
  broken = [];
});
const open = (query = '') => draw(<AnalyticsScreen />, `/admin/analytics${query}`);
const asked = (widget: string) =>
  server.asked.filter(({ url }) => url.startsWith(`/api/admin/analytics/${widget}`)).map(({ url }) => url);
const part = async (name: string) => within(await screen.findByRole('region', { name }));

test('each part says what it shows in a sentence, and the same as a table', async () => {
  await open();
  const people = await part('Active people');
  await people.findByText('highest: 204');
  const table = within(people.getByRole('table', { name: 'Active people', hidden: true }));
  expect(table.getAllByRole('row', { hidden: true })).toHaveLength(8);
  const funnel = await part('From the first page to day 7');
  await funnel.findByText(/Most people are lost before “Linked X”: 888 of 1,630\./);
  (await part('How long members wait for a decision')).getByText('Half within 3 h 10 min, 95 % within 19 h.');
  (await part('Push notifications')).getByText('No notification was sent in this period');
  (await part('Answers made offline')).getByText(/^14 % of 350 answers arrived more than a minute after/);
  const tasks = within((await part('Tasks by completion and rejection')).getByRole('table'));
  expect(tasks.getAllByRole('row')[1]?.textContent).toBe('Photo of the ridge Ridge972');
  screen.getByText(/2 of these days are still being counted\./);
  screen.getByText(/Ends with yesterday, because today isn’t over yet\./);
  expect(screen.getAllByText('28 %').length).toBeGreaterThan(0);
});

test('shares of people whose day has not come are said to be so far, or not yet known', async () => {
  await open();
  const cohorts = within(await (await part('Who comes back')).findByRole('table'));
  const [, first, second] = cohorts.getAllByRole('row');
  expect(within(first as HTMLElement).getByText('41 %: 41 of 100')).toBeTruthy();
  expect(within(first as HTMLElement).getByText('20 % so far: 12 of 60')).toBeTruthy();
  expect(within(second as HTMLElement).getAllByText('Not yet known')).toHaveLength(2);
});

test('a chart is read by the keyboard: one stop, arrows one day, Page keys a week, Home and End', async () => {
  await open();
  const slider = await (await part('Active people')).findByRole('slider');
  const press = (key: string) => act(async () => void fireEvent.keyDown(slider, { key }));
  expect(slider.getAttribute('aria-valuetext')).toMatch(/24.*: 204 people/);
  await press('ArrowLeft');
  expect(slider.getAttribute('aria-valuetext')).toMatch(/23.*: 203 people/);
  await press('PageDown');
  expect(slider.getAttribute('aria-valuetext')).toMatch(/18.*: 198 people/);
  await press('End');
  expect(slider.getAttribute('aria-valuenow')).toBe('7');
});

test('days and community are part of the address, and of each file', async () => {
  const { router } = await open('?days=90&community=ridge');
  await part('Active people');
  expect(asked('people')).toEqual(['/api/admin/analytics/people?community=ridge&days=90']);
  expect(screen.getByRole('link', { name: 'Active people as CSV' }).getAttribute('href')).toBe(
    '/api/admin/analytics/export?table=people&community=ridge&days=90',
  );
  await screen.findByText('Ridge & Valley Walkers');
  expect((screen.getByLabelText('Community') as HTMLSelectElement).value).toBe('ridge');
  await click(screen.getByRole('radio', { name: '7 days' }));
  expect(router.state.location.search).toEqual({ days: '7', community: 'ridge' });
  await fill(screen.getByLabelText('From'), '2026-03-31');
  await fill(screen.getByLabelText('To'), '2026-03-01');
  await click(screen.getByRole('button', { name: 'Show these days' }));
  screen.getByRole('alert');
  await fill(screen.getByLabelText('From'), '2026-02-01');
  await click(screen.getByRole('button', { name: 'Show these days' }));
  expect(router.state.location.search).toEqual({ from: '2026-02-01', to: '2026-03-01', community: 'ridge' });
});

test('a part that fails fails alone', async () => {
  broken = ['reviews'];
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await open();
  await vi.advanceTimersByTimeAsync(20_000);
  const reviews = await part('How long members wait for a decision');
  await reviews.findByText('reviews is broken');
  reviews.getByRole('button', { name: 'Try again' });
  (await part('Active people')).getByText('highest: 204');
});

test('who may not is told who lets them in; who is signed out may sign in', async () => {
  me = aUser;
  const { unmount } = await open();
  await screen.findByText(/An administrator of this instance can let you in/);
  expect(asked('people')).toEqual([]);
  unmount();
  me = null;
  await open();
  await screen.findByRole('link', { name: 'Sign in with Telegram' });
});
