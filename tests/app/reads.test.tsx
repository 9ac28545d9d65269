/** What a screen shows before the server has answered, and who is asked how often. */
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rememberShutOut, rememberSignedIn, wasSignedIn } from '../../app/lib/hints.ts';
import { cachedAtOf, HttpError } from '../../app/lib/http.ts';
import type { News } from '../../app/lib/news.ts';
import { createQueryClient, read, showCached, userQuery } from '../../app/lib/query.ts';
import { bindToMember, catchUp, followOther, forgetMember, handleNews, refetchAll } from '../../app/lib/session.ts';
import { signedInCookie, VISITOR_MARK } from '../../server/contract/sw-messages.ts';
import { aUser, fakeServer, json, refusal } from './support.tsx';

const BOARD = read('GET /api/communities');
const URL_OF_BOARD = '/api/communities';

/** A service worker between page and server: answers for the copy itself, lets everything else through. */
function behindWorker() {
  vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: { controller: {} } } }));
  const server = fakeServer();
  const copies = new Map<string, { body: unknown; at: number }>();
  const pending: (() => void)[] = [];
  let answer: () => Response | Promise<Response> = () => json(['server']);
  let isHeld = false;
  let asked = 0;
  server.answer(async ({ url, init }) => {
    const copy = copies.get(url);
    if (new Headers(init.headers).has('x-muster-kept-only'))
      return copy
        ? json(copy.body, 200, { 'x-muster-cached-at': String(copy.at), 'x-muster-member': 'u1' })
        : new Response(null, { status: 204 });
    asked += 1;
    if (isHeld) await new Promise<void>((done) => pending.push(done));
    return answer();
  });
  return {
    copies,
    /** Requests that reached the server. */
    asked: () => asked,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const go of pending.splice(0)) go();
    },
    answers: (reply: typeof answer) => {
      answer = reply;
    },
  };
}
function watched(client = createQueryClient(), reading: typeof BOARD = BOARD) {
  const seen: unknown[] = [];
  const observer = new QueryObserver(client, reading as never);
  const stop = observer.subscribe(({ data }) => {
    if (data !== undefined && data !== seen.at(-1)) seen.push(data);
  });
  return { client, seen, stop };
}

beforeEach(() => {
  vi.useFakeTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a screen that opens', () => {
  test('stands from the device at once and is refreshed behind, by one request to the server', async () => {
    const worker = behindWorker();
    worker.copies.set(URL_OF_BOARD, { body: ['copy'], at: 1_000 });
    worker.hold();
    const { seen, stop } = watched();
    await pass(10);
    expect(seen).toEqual([['copy']]);
    worker.release();
    await pass(10);
    expect(seen).toEqual([['copy'], ['server']]);
    expect(worker.asked()).toBe(1);
    stop();
  });
  test('says how old it is once the server keeps it waiting for a second, and no longer when it has answered', async () => {
    const worker = behindWorker();
    worker.copies.set(URL_OF_BOARD, { body: ['copy'], at: 1_000 });
    worker.hold();
    const { stop } = watched();
    await pass(900);
    expect(cachedAtOf(URL_OF_BOARD)).toBeNull();
    await pass(200);
    expect(cachedAtOf(URL_OF_BOARD)).toBe(1_000);
    worker.release();
    await pass(10);
    expect(cachedAtOf(URL_OF_BOARD)).toBeNull();
    stop();
  });
  test('without a copy, and without a service worker, waits for the server', async () => {
    const worker = behindWorker();
    const { seen, stop } = watched();
    await pass(10);
    expect([seen, worker.asked()]).toEqual([[['server']], 1]);
    stop();
    vi.unstubAllGlobals();
    const server = fakeServer();
    server.answer(() => json(['online']));
    const alone = watched();
    await pass(10);
    expect([alone.seen, server.asked.length]).toEqual([[['online']], 1]);
    alone.stop();
  });
  test('a copy that comes after the answer changes nothing', async () => {
    const worker = behindWorker();
    worker.copies.set(userQuery.queryKey[0], { body: aUser, at: 1_000 });
    worker.answers(() => json({ ...aUser, displayName: 'Now' }));
    const { seen, stop } = watched(createQueryClient(), userQuery as never);
    await pass(2_000);
    expect(seen).toEqual([{ ...aUser, displayName: 'Now' }]);
    stop();
  });
  test('a member’s copy that is read while they are signed out is not shown any more', async () => {
    const worker = behindWorker();
    worker.copies.set(URL_OF_BOARD, { body: ['theirs'], at: 1_000 });
    worker.hold();
    const client = createQueryClient();
    client.setQueryData(userQuery.queryKey, null);
    const { seen, stop } = watched(client);
    await pass(10);
    expect(seen).toEqual([]);
    worker.release();
    stop();
  });
  test('the last known user after a tenth of a second, unless the server says otherwise', async () => {
    const worker = behindWorker();
    worker.copies.set(userQuery.queryKey[0], { body: aUser, at: 1_000 });
    worker.hold();
    const { client, stop } = watched(createQueryClient(), userQuery as never);
    await pass(90);
    expect(client.getQueryData(userQuery.queryKey)).toBeUndefined();
    await pass(30);
    expect(client.getQueryData(userQuery.queryKey)).toEqual(aUser);
    worker.answers(() => refusal(401, 'UNAUTHENTICATED'));
    worker.release();
    await pass(10);
    expect(client.getQueryData(userQuery.queryKey)).toBeNull();
    stop();
  });
});

describe('news', () => {
  test('of a fresher copy are read from the device, however many there are: the server is never asked', async () => {
    const worker = behindWorker();
    const { client, seen, stop } = watched();
    await pass(10);
    for (let n = 0; n < 20; n += 1) {
      worker.copies.set(URL_OF_BOARD, { body: [`news ${n}`], at: Date.now() });
      await showCached(client, `https://muster.example${URL_OF_BOARD}`);
      await showCached(client, 'https://muster.example/api/communities/unseen');
    }
    await pass(10);
    expect(seen.at(-1)).toEqual(['news 19']);
    expect(worker.asked()).toBe(1);
    stop();
  });
  test.each([403, 404, 410])(
    'that the server would not say it any more (%i) take it off the screen',
    async (status) => {
      const worker = behindWorker();
      const { client, stop } = watched();
      await pass(10);
      worker.answers(() => refusal(status, 'NO_MORE'));
      void client.refetchQueries({ queryKey: BOARD.queryKey });
      await pass(10_000);
      expect(client.getQueryData(BOARD.queryKey)).toBeUndefined();
      stop();
    },
  );
});

/** What tells of the device and not of the member stays. */
const answered = { 'muster-answered': expect.stringMatching(/^\d+$/) };

describe('a page of whoever is not signed in', () => {
  const SIGNED_IN = `${signedInCookie(false)}=1`;
  const NOBODY = `${signedInCookie(false)}=; expires=Thu, 01 Jan 1970 00:00:00 GMT`;
  const servedTo = (mark: string) =>
    vi
      .spyOn(performance, 'getEntriesByType')
      .mockReturnValue([{ serverTiming: [{ name: mark }] }] as unknown as PerformanceEntryList);
  /** Who it is, and how often the server was asked: for that, for a read of all, for a read of members. */
  async function asked({
    mark = '',
    cookie = NOBODY,
    hint = null as string | null,
    controlled = true,
  }): Promise<unknown[]> {
    const worker = behindWorker();
    if (!controlled) vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: {} } }));
    worker.answers(() => json(aUser));
    servedTo(mark);
    // biome-ignore lint/suspicious/noDocumentCookie: the page reads this very place
    document.cookie = cookie;
    rememberSignedIn(hint);
    const client = createQueryClient();
    const counts = [];
    for (const reading of [userQuery, BOARD, read('GET /api/user/communities')]) {
      await client.fetchQuery(reading as typeof BOARD).catch(() => null);
      counts.push(worker.asked());
    }
    return [client.getQueryData(userQuery.queryKey), ...counts];
  }
  afterEach(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the page reads this very place
    document.cookie = SIGNED_IN;
    rememberSignedIn(null);
  });
  test('asks neither who is signed in nor for what only members have', async () => {
    expect(await asked({ mark: VISITOR_MARK, controlled: false })).toEqual([null, 0, 1, 1]);
    expect(await asked({})).toEqual([null, 0, 1, 1]);
  });
  test('asks for everything once a sign-in has come since, or a member was here last time', async () => {
    expect(await asked({ mark: VISITOR_MARK, cookie: SIGNED_IN })).toEqual([aUser, 1, 2, 3]);
    expect(await asked({ mark: VISITOR_MARK, hint: 'u1' })).toEqual([aUser, 1, 2, 3]);
  });
  test('asks where the server has not said whom the page was for', async () => {
    expect(await asked({ controlled: false })).toEqual([aUser, 1, 2, 3]);
  });
  test('asks on a page of the server that the first worker has taken over since', async () => {
    const container = Object.assign(new EventTarget(), { controller: null as object | null });
    vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: container } }));
    // biome-ignore lint/suspicious/noDocumentCookie: the page reads this very place
    document.cookie = NOBODY;
    const server = fakeServer();
    server.answer(() => json(aUser));
    vi.resetModules();
    const page = await import('../../app/lib/query.ts');
    container.controller = {};
    container.dispatchEvent(new Event('controllerchange'));
    expect(await page.createQueryClient().fetchQuery(page.userQuery)).toEqual(aUser);
  });
});

describe('another member in another tab', () => {
  async function signedIn() {
    const worker = behindWorker();
    worker.answers(() => json(['of Mira']));
    const { client, stop } = watched();
    client.setQueryData(userQuery.queryKey, aUser);
    localStorage.setItem('muster-draft:t1', 'begun');
    localStorage.setItem('muster-theme', 'dark');
    await pass(10);
    return { worker, client, stop };
  }
  test('their own: nothing happens', async () => {
    const { worker, client, stop } = await signedIn();
    await followOther(client, aUser.id);
    await pass(10);
    expect([client.getQueryData(BOARD.queryKey), worker.asked()]).toEqual([['of Mira'], 1]);
    stop();
  });
  test('somebody else: what was shown and begun goes, and everything is asked for again', async () => {
    const { worker, client, stop } = await signedIn();
    worker.hold();
    void followOther(client, 'u2');
    await pass(10);
    expect(client.getQueryData(userQuery.queryKey)).toBeUndefined();
    expect(client.getQueryData(BOARD.queryKey)).toBeUndefined();
    expect({ ...localStorage }).toEqual({ 'muster-theme': 'dark', ...answered });
    worker.release();
    stop();
  });
  test('somebody else, told by a read of the user before any news: what was shown goes, also where this tab was shut out', async () => {
    const { worker, client, stop } = await signedIn();
    bindToMember(client);
    await pass(10);
    expect(client.getQueryData(BOARD.queryKey)).toEqual(['of Mira']);
    worker.hold();
    client
      .getQueryCache()
      .find({ queryKey: userQuery.queryKey })
      ?.setState({ error: new Error('shut out') });
    client.setQueryData(userQuery.queryKey, { ...aUser, id: 'u2' } as never);
    await pass(10);
    expect(client.getQueryData(BOARD.queryKey)).toBeUndefined();
    // The news comes after: it is none.
    await followOther(client, 'u2');
    expect(client.getQueryData(BOARD.queryKey)).toBeUndefined();
    worker.release();
    stop();
  });
  test('nobody, told by a refused read before any news: what was shown goes, however long the rest takes', async () => {
    const { worker, client, stop } = await signedIn();
    bindToMember(client);
    vi.stubGlobal('caches', { keys: () => new Promise(() => undefined) });
    await pass(10);
    expect(client.getQueryData(BOARD.queryKey)).toEqual(['of Mira']);
    worker.answers(() => refusal(401, 'NOT_SIGNED_IN'));
    await client.fetchQuery({ ...read('GET /api/user/communities'), retry: false }).catch(() => undefined);
    await pass(10);
    expect(client.getQueryData(userQuery.queryKey)).toBeNull();
    expect(client.getQueryData(BOARD.queryKey)).toBeUndefined();
    stop();
  });
  test('a copy that was being read when they came is not shown to them', async () => {
    const { worker, client, stop } = await signedIn();
    worker.copies.set(URL_OF_BOARD, { body: ['fresher, of Mira'], at: Date.now() });
    const showing = showCached(client, `https://muster.example${URL_OF_BOARD}`);
    client.setQueryData(userQuery.queryKey, { ...aUser, id: 'u2' } as never);
    await pass(10);
    await showing;
    expect(client.getQueryData(BOARD.queryKey)).toEqual(['of Mira']);
    stop();
  });
  test('somebody else who signed in over it, in this very tab: what was begun goes with the start of the page', () => {
    rememberSignedIn('u1');
    localStorage.setItem('muster-draft:t1', 'begun');
    rememberSignedIn('u1');
    expect(localStorage.getItem('muster-draft:t1')).toBe('begun');
    // Shut out, not signed out: the same member may come back to it, another one finds nothing.
    rememberShutOut();
    expect([wasSignedIn(), localStorage.getItem('muster-draft:t1')]).toEqual([false, 'begun']);
    rememberSignedIn('u2');
    expect([wasSignedIn(), localStorage.getItem('muster-draft:t1')]).toEqual([true, null]);
  });
  test('nobody any more: signed out here too', async () => {
    const { worker, client, stop } = await signedIn();
    worker.hold();
    void followOther(client, null);
    await pass(6_000);
    expect(client.getQueryData(userQuery.queryKey)).toBeNull();
    expect(client.getQueryData(BOARD.queryKey)).toBeUndefined();
    worker.release();
    stop();
  });
  test('signed out while no service worker answers: the page drops the caches itself', async () => {
    const { client, stop } = await signedIn();
    const deleted: string[] = [];
    vi.stubGlobal('caches', {
      keys: async () => ['shell-1', 'private-u1', 'public'],
      delete: async (name: string) => void deleted.push(name),
    });
    void forgetMember(client);
    await pass(6_000);
    expect(deleted).toEqual(['private-u1']);
    expect({ ...localStorage }).toEqual({ 'muster-theme': 'dark', ...answered });
    stop();
  });
  test('a revoked membership: the answers go and the user is asked for', async () => {
    const { worker, client, stop } = await signedIn();
    worker.answers(() => refusal(403, 'TELEGRAM_MEMBERSHIP_REVOKED'));
    await refetchAll(client);
    await pass(10);
    expect(client.getQueryData(BOARD.queryKey)).toBeUndefined();
    const asked = worker.asked();
    await pass(60_000);
    expect(worker.asked()).toBe(asked);
    stop();
  });
  test('a tab that was shut out asks anew when somebody else comes', async () => {
    const { worker, client, stop } = await signedIn();
    worker.answers(() => refusal(403, 'TELEGRAM_MEMBERSHIP_REVOKED'));
    await client.resetQueries({ queryKey: userQuery.queryKey });
    await client.fetchQuery(userQuery).catch(() => undefined);
    worker.answers(() => json({ ...aUser, id: 'u2' }));
    handleNews(client, { type: 'MEMBER_CHANGED', userId: 'u2' });
    const { stop: stopUser } = watched(client, userQuery as never);
    await pass(10);
    expect(client.getQueryData(userQuery.queryKey)).toMatchObject({ id: 'u2' });
    stopUser();
    stop();
  });
});

describe('a page that never heard who was signed in before nobody was', () => {
  const theirs = () => json(['of Mira'], 200, { 'x-muster-member': 'u1' });
  async function begun() {
    const worker = behindWorker();
    worker.answers(theirs);
    worker.hold();
    const page = watched();
    bindToMember(page.client);
    await pass(10);
    return { worker, ...page };
  }
  test('what came for them goes', async () => {
    const { worker, client, seen, stop } = await begun();
    worker.release();
    await pass(10);
    expect(seen).toEqual([['of Mira']]);
    worker.answers(() => refusal(401, 'NOT_SIGNED_IN'));
    client.setQueryData(userQuery.queryKey, null);
    await pass(10);
    expect(client.getQueryData(BOARD.queryKey)).toBeUndefined();
    stop();
  });
  test('what comes for them later is not shown', async () => {
    const { worker, client, seen, stop } = await begun();
    client.setQueryData(userQuery.queryKey, null);
    worker.release();
    await pass(10);
    worker.answers(() => refusal(401, 'NOT_SIGNED_IN'));
    await pass(5_000);
    expect([seen, client.getQueryState(BOARD.queryKey)?.status]).toEqual([[], 'error']);
    stop();
  });
  test.each([
    ['nobody is signed in', (client: QueryClient) => void client.setQueryData(userQuery.queryKey, null)],
    [
      'the server has refused it',
      (client: QueryClient) =>
        client
          .getQueryCache()
          .find({ queryKey: BOARD.queryKey })
          ?.setState({ error: new HttpError({ status: 401, reason: 'NOT_SIGNED_IN', message: '', requestId: null }) }),
    ],
  ])('a fresher copy that was being read is not shown once %s', async (_what, happens) => {
    const { worker, client, seen, stop } = await begun();
    worker.copies.set(URL_OF_BOARD, { body: ['fresher, of Mira'], at: Date.now() });
    const showing = showCached(client, `https://muster.example${URL_OF_BOARD}`);
    happens(client);
    await showing;
    expect(seen).toEqual([]);
    worker.release();
    stop();
  });
  test('a visitor asks once', async () => {
    const { worker, client, seen, stop } = await begun();
    worker.answers(() => json(['for everybody']));
    worker.release();
    await pass(10);
    client.setQueryData(userQuery.queryKey, null);
    await pass(10);
    expect([seen, worker.asked()]).toEqual([[['for everybody']], 1]);
    stop();
  });
});

describe('news while it is still asked who is signed in', () => {
  /** The first question is answered late, as of before; all that come after it are answered as of now. */
  async function asking(now: () => Response) {
    const worker = behindWorker();
    let arrive: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((done) => {
      arrive = done;
    });
    worker.answers(() => {
      worker.answers(now);
      return late;
    });
    const { client, stop } = watched(undefined, userQuery as never);
    bindToMember(client);
    await pass(10);
    return { worker, client, stop, arrive: () => arrive(json(aUser)) };
  }
  const nobody = () => refusal(401, 'NOT_SIGNED_IN');
  const revoked = () => refusal(403, 'TELEGRAM_MEMBERSHIP_REVOKED');

  const ways = [
    ['heard', handleNews],
    ['missed', (client: QueryClient, news: News) => catchUp(client, [news])],
  ] as const;

  test.each(ways)('signed out, %s: the answer of before brings nobody back', async (_, tell) => {
    const { client, stop, arrive } = await asking(nobody);
    tell(client, { type: 'SIGNED_OUT' });
    arrive();
    await pass(6_000);
    expect(client.getQueryData(userQuery.queryKey)).toBeNull();
    stop();
  });
  test.each(ways)('shut out, %s: the answer of before lets nobody in', async (_, tell) => {
    const { client, stop, arrive } = await asking(revoked);
    tell(client, { type: 'MEMBERSHIP_REVOKED' });
    arrive();
    await pass(10);
    expect(client.getQueryState(userQuery.queryKey)).toMatchObject({ status: 'error', data: undefined });
    stop();
  });
  test('somebody else, missed: they are shown', async () => {
    const { client, stop, arrive } = await asking(() => json({ ...aUser, id: 'u2' }));
    catchUp(client, [{ type: 'MEMBER_CHANGED', userId: 'u2' }]);
    arrive();
    await pass(10);
    expect(client.getQueryData(userQuery.queryKey)).toMatchObject({ id: 'u2' });
    stop();
  });
  test('news that say what is shown, or nothing about who it is, ask nobody', async () => {
    const { worker, client, stop, arrive } = await asking(nobody);
    arrive();
    await pass(10);
    catchUp(client, [{ type: 'MEMBER_CHANGED', userId: aUser.id }, { type: 'OUTBOX_CHANGED' }]);
    await pass(10);
    expect([worker.asked(), client.getQueryData(userQuery.queryKey)]).toEqual([1, aUser]);
    stop();
  });
});
