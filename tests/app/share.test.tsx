import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ShareScreen } from '../../app/features/share/share-screen.tsx';
import {
  changeShared,
  dismissShared,
  forgetShared,
  hasPicture,
  moveToFront,
  readPicture,
  readShared,
  sharedText,
  storeShared,
  takePosted,
  waiting,
} from '../../app/features/share/shared.ts';
import { SUBMISSION_TEXT_MAX } from '../../server/contract/limits.ts';
import { FakeCaches } from '../service-worker/scope.ts';
import { dashboardOf, taskOf } from './member/support.ts';
import { aUser, click, draw, fakeServer, json, refusal } from './support.tsx';

const device = vi.hoisted(() => ({ enqueue: vi.fn(async (_entry: unknown) => 'entry-1') }));
vi.mock('../../app/lib/device.ts', async () => ({ ...(await import('./quiet-device.ts')), enqueue: device.enqueue }));

beforeEach(() => {
  forgetShared();
});
afterEach(() => {
  vi.clearAllMocks();
});

describe('what another app handed over', () => {
  test.each([
    [{ title: 'Ford', text: 'Knee deep', url: 'https://a.example/1' }, 'Ford\nKnee deep\nhttps://a.example/1'],
    [{ text: 'See https://a.example/1', url: 'https://a.example/1' }, 'See https://a.example/1'],
    [{ title: 'Ford', text: 'Ford' }, 'Ford'],
    [{ title: ' ', url: '' }, ''],
    [{}, ''],
  ])('%j becomes one text, nothing twice', (search, text) => {
    expect(sharedText(search)).toBe(text);
  });
  test('is never longer than an answer may be', () => {
    expect(sharedText({ text: 'x'.repeat(SUBMISSION_TEXT_MAX + 9) })).toHaveLength(SUBMISSION_TEXT_MAX);
  });
  test('waits for the next sign-in, then belongs to that member alone', () => {
    storeShared('Knee deep', null);
    expect(readShared(null)).toBe('Knee deep');
    expect(readShared('u1')).toBe('Knee deep');
    expect(readShared(null)).toBe('');
    expect(readShared('u2')).toBe('');
    expect(localStorage.length).toBe(0);
    expect(readShared('u1')).toBe('');
  });
  test('is kept for a day', () => {
    vi.useFakeTimers();
    storeShared('Knee deep', 'u1');
    vi.advanceTimersByTime(23 * 3_600_000);
    expect(readShared('u1')).toBe('Knee deep');
    vi.advanceTimersByTime(2 * 3_600_000);
    expect(readShared('u1')).toBe('');
  });
  const refuse = () => {
    throw new DOMException('no', 'QuotaExceededError');
  };
  test.each([
    ['refuses storage', { getItem: refuse, setItem: refuse, removeItem: refuse }],
    ['has no room left', { getItem: () => null, setItem: refuse, removeItem: () => undefined }],
  ])('lives as long as the page where the browser %s', (_, storage) => {
    vi.stubGlobal('localStorage', storage);
    storeShared('Knee deep', null);
    expect(readShared('u1')).toBe('Knee deep');
    expect(readShared('u2')).toBe('');
  });
});

/** A device on which the service worker has laid down such a form. */
async function posted(fields: Record<string, string | File>): Promise<FakeCaches> {
  const caches = new FakeCaches();
  vi.stubGlobal('caches', caches);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  // The page's own form is none that Node's answers can read.
  const answer = new Response('');
  Object.assign(answer, { clone: () => answer, formData: async () => form });
  await (await caches.open('/share')).put('/share', answer);
  return caches;
}
const ford = () => new File(['ford'], 'ford.png', { type: 'image/png' });
const names = async (caches: FakeCaches) =>
  Object.entries(await caches.contents()).flatMap(([name, all]) => Object.keys(all).map((path) => `${name} ${path}`));

describe('a picture that was handed over', () => {
  test('waits for the next sign-in, then lies with what is that member’s, and nobody else is shown it', async () => {
    const caches = await posted({ title: 'Ford', picture: ford() });
    await takePosted();
    expect(await names(caches)).toEqual([expect.stringMatching(/^\/share \/share\/picture\/\d/)]);
    expect([hasPicture(null), readShared(null)]).toEqual([true, 'Ford']);
    expect(await (await readPicture('u1'))?.text()).toBe('ford');
    expect(await names(caches)).toEqual([expect.stringMatching(/^private-u1 \/share\/picture\/\d/)]);
    expect([hasPicture(null), await readPicture(null)]).toEqual([false, null]);
    expect([hasPicture('u2'), await readPicture('u2')]).toEqual([false, null]);
    await vi.waitFor(async () => expect(await names(caches)).toEqual([]));
  });
  test('stays when its words are changed and another thing is shared, and goes when it is put away', async () => {
    const caches = await posted({ picture: ford() });
    await takePosted();
    changeShared('Knee deep', 'u1');
    expect([hasPicture('u1'), readShared('u1')]).toEqual([true, 'Knee deep']);
    changeShared('', 'u1');
    expect(hasPicture('u1')).toBe(true);
    storeShared('A text', null);
    expect([hasPicture('u1'), readShared('u1')]).toEqual([false, 'A text']);
    const [text, picture] = waiting('u1');
    moveToFront(picture?.id ?? '');
    expect(await (await readPicture('u1'))?.text()).toBe('ford');
    dismissShared(picture?.id ?? '');
    await vi.waitFor(async () => expect(await names(caches)).toEqual([]));
    expect(waiting('u1')).toEqual([text]);
  });
  test('a form without a picture is a text like any other', async () => {
    const caches = await posted({ title: 'Ford', url: 'https://a.example/1', picture: new File([], '') });
    await takePosted();
    expect([readShared('u1'), hasPicture('u1')]).toEqual(['Ford\nhttps://a.example/1', false]);
    expect(await names(caches)).toEqual([]);
  });
});

describe('the screen', () => {
  const community = { ...dashboardOf([]).community };
  const dashboard = dashboardOf([
    taskOf('t1', { kind: 'submit_text', title: 'Tell us about the ford' }),
    taskOf('t2', { title: 'Morning check-in' }),
    taskOf('t3', { kind: 'submit_text', title: 'Answered', claim: { state: 'submitted', taskId: 't3' } as never }),
  ]);
  const serve = (user: unknown, away: string[] = []) =>
    fakeServer().answer(({ url }) => {
      if (away.some((part) => url.includes(part))) return Promise.reject(new TypeError('Failed to fetch'));
      if (url === '/api/auth/user') return user ? json(user) : refusal(401, 'UNAUTHENTICATED');
      if (url === '/api/user/communities')
        return json([
          { ...community, points: 0, rank: null, todo: 2, waiting: 0, toReview: 0 },
          { ...community, id: 'c2', slug: 'fern', name: 'Fernmap', points: 0, rank: null, todo: 1 },
          { ...community, id: 'c3', slug: 'led', name: 'My own', role: 'leader' },
        ]);
      return url.includes('/walkers/')
        ? json(dashboard)
        : json(dashboardOf([], { community: { ...community, id: 'c2' } }));
    });
  const arrive = () => draw(<ShareScreen />, '/share?title=Ford&text=Knee%20deep');

  test('offers the open text tasks of the communities that I compete in, and lets go of the address', async () => {
    serve(aUser);
    const { router } = await arrive();
    await screen.findByRole('button', { name: /Tell us about the ford/ });
    expect(screen.queryByText('Morning check-in')).toBeNull();
    expect(screen.queryByText('Answered')).toBeNull();
    expect(screen.queryByText('My own')).toBeNull();
    expect(screen.getByText(/Ford\s+Knee deep/)).toBeTruthy();
    expect(router.state.location.search).toEqual({});
  });

  test('fills the form, queues one claim with the text and forgets it', async () => {
    serve(aUser);
    const { router } = await arrive();
    fireEvent.click(await screen.findByRole('button', { name: /Tell us about the ford/ }));
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your answer' });
    expect(field.value).toBe('Ford\nKnee deep');
    fireEvent.change(field, { target: { value: 'Ford: knee deep.' } });
    expect(readShared('u1')).toBe('Ford: knee deep.');
    await click(screen.getByRole('button', { name: 'Send' }));
    expect(device.enqueue.mock.calls).toEqual([
      [
        expect.objectContaining({
          path: '/api/communities/c1/tasks/t1/claims',
          body: expect.objectContaining({ evidence: { kind: 'submit_text', text: 'Ford: knee deep.' } }),
        }),
      ],
    ]);
    expect(readShared('u1')).toBe('');
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/community/walkers/dashboard'));
  });

  test('offers picture tasks for a picture, and its words as the note; sent, it is forgotten', async () => {
    dashboard.tasks.push(taskOf('t4', { kind: 'submit_image', title: 'Picture of a waymark' }));
    serve(aUser);
    const caches = await posted({ text: 'At the ford', picture: ford() });
    vi.stubGlobal('createImageBitmap', async () => ({ width: 8, height: 8, close: () => undefined }));
    await draw(<ShareScreen />, '/share');
    await screen.findByRole('img', { name: 'The picture you shared' });
    await screen.findByRole('button', { name: /Tell us about the ford/ });
    fireEvent.click(await screen.findByRole('button', { name: /Picture of a waymark/ }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('At the ford');
    expect(await names(caches)).toEqual([expect.stringMatching(/^private-u1 \/share\/picture\/\d/)]);
    fireEvent.click(screen.getByRole('button', { name: 'Another task' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    await screen.findByRole('heading', { name: 'Nothing was shared' });
    await vi.waitFor(async () => expect(await names(caches)).toEqual([]));
    dashboard.tasks.pop();
  });

  test('says that there was no room, or nobody to take it', async () => {
    serve(aUser);
    await draw(<ShareScreen />, '/share?lost=1');
    await screen.findByRole('heading', { name: 'There was no room to keep it' });
    cleanup();
    await draw(<ShareScreen />, '/share?lost=missed');
    await screen.findByRole('heading', { name: 'Please share it again' });
  });

  test('what was begun for that task before is not lost', async () => {
    localStorage.setItem('muster-draft:t1', 'Begun.');
    serve(aUser);
    await arrive();
    fireEvent.click(await screen.findByRole('button', { name: /Tell us about the ford/ }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Begun.\n\nFord\nKnee deep');
  });

  test('an act that could not be kept keeps the form and the words', async () => {
    serve(aUser);
    device.enqueue.mockRejectedValueOnce(new Error('The disk is full.'));
    await arrive();
    fireEvent.click(await screen.findByRole('button', { name: /Tell us about the ford/ }));
    await click(screen.getByRole('button', { name: 'Send' }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Ford\nKnee deep');
    expect(readShared('u1')).toBe('Ford\nKnee deep');
  });

  test('names the communities of which this device has no copy', async () => {
    serve(aUser, ['/fern/']);
    await arrive();
    await screen.findByText(/Not on this device yet: Fernmap\./);
    expect(screen.getByRole('button', { name: /Tell us about the ford/ })).toBeTruthy();
  });

  test('signed out: kept, shown, and the sign-in leads back here', async () => {
    serve(null);
    await arrive();
    const link = await screen.findByRole('link', { name: 'Sign in with Telegram' });
    expect(link.getAttribute('href')).toBe('/api/auth/telegram/start?next=%2Fshare');
    expect(screen.getByText(/Knee deep/)).toBeTruthy();
    cleanup();
    serve(aUser);
    await draw(<ShareScreen />, '/share');
    await screen.findByRole('button', { name: /Tell us about the ford/ });
  });

  test('nothing that comes takes the place of what was shared before, and each says how it came', async () => {
    serve(aUser);
    storeShared('My own words', 'u1');
    await arrive();
    await screen.findByText(/with a link that was opened here/);
    fireEvent.click(screen.getByRole('button', { name: /My own words/ }));
    screen.getByText(/from an app or a page that didn’t give its name/);
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.getByText(/Ford\s+Knee deep/)).toBeTruthy();
    expect(waiting('u1').map(({ text }) => text)).toEqual(['Ford\nKnee deep']);
  });

  test('signed out, too, what came before can be taken', async () => {
    serve(null);
    storeShared('My own words', null);
    await arrive();
    fireEvent.click(await screen.findByRole('button', { name: /My own words/ }));
    expect(waiting(null).map(({ text }) => text)).toEqual(['My own words', 'Ford\nKnee deep']);
  });

  test('a link on another site’s page shares nothing, nor does its form', async () => {
    serve(aUser);
    storeShared('My own words', 'u1');
    const referrer = vi.spyOn(document, 'referrer', 'get').mockReturnValue('https://elsewhere.example/');
    await arrive();
    await screen.findByRole('heading', { name: 'Another site tried to share this' });
    referrer.mockRestore();
    cleanup();
    await draw(<ShareScreen />, '/share?lost=foreign');
    await screen.findByRole('heading', { name: 'Another site tried to share this' });
    expect(waiting('u1').map(({ text }) => text)).toEqual(['My own words']);
  });

  test('what an earlier build kept is there still', () => {
    localStorage.setItem('muster-shared', JSON.stringify({ text: 'Before', at: Date.now(), userId: 'u1' }));
    expect(readShared('u1')).toBe('Before');
  });

  test('can be put away; with nothing shared it says how to', async () => {
    serve(aUser);
    await arrive();
    fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(screen.getByRole('heading', { name: 'Nothing was shared' })).toBeTruthy();
    expect(readShared('u1')).toBe('');
  });
});
