import { beforeEach, describe, expect, test, vi } from 'vitest';
import { oweSignOut, settleSignOut } from '../../../app/lib/owed-sign-out.ts';
import { signedInCookie } from '../../../server/contract/sw-messages.ts';
import { json, refusal, serverOfEach } from '../support.tsx';

const away = () => Promise.reject(new TypeError('Failed to fetch'));
const told = () => server.asked.map(({ method, url }) => `${method} ${url}`);

const server = serverOfEach();
beforeEach(() => {
  document.body.replaceChildren();
});

describe('a sign-out that the server missed', () => {
  test('nothing owed: the server is not asked', async () => {
    expect(await settleSignOut()).toBe(true);
    expect(told()).toEqual([]);
  });
  test('is told until it is heard, then never again', async () => {
    oweSignOut();
    server.answer(away);
    expect(await settleSignOut()).toBe(false);
    server.answer(() => refusal(503, 'STARTING'));
    expect(await settleSignOut()).toBe(false);
    server.answer(() => json({ ok: true }));
    expect(await settleSignOut()).toBe(true);
    expect(await settleSignOut()).toBe(true);
    expect(told()).toEqual(Array(3).fill('POST /api/auth/logout'));
  });
  test('ends the session that it was about, and none that began after it', async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the page reads this very place
    const sessions = (mark: string) => (document.cookie = `${signedInCookie(false)}=${mark}`);
    server.answer(() => json({ ok: true }));
    sessions('first');
    oweSignOut();
    expect(await settleSignOut()).toBe(true);
    expect(told()).toHaveLength(1);
    oweSignOut();
    // Past the links: by an address that was typed or kept.
    sessions('second');
    expect(await settleSignOut()).toBe(true);
    oweSignOut();
    expect(await settleSignOut()).toBe(true);
    expect(told()).toHaveLength(2);
    // As earlier builds wrote it down, about no session in particular.
    localStorage.setItem('muster-sign-out-owed', '1');
    sessions('third');
    expect(await settleSignOut()).toBe(true);
    expect(told()).toHaveLength(3);
  });
  test('is told once, whoever asks meanwhile: an answer after the next sign-in would end that', async () => {
    oweSignOut();
    let hear = (_: Response) => {};
    server.answer(() => new Promise((resolve) => (hear = resolve)));
    const asked = [settleSignOut(), settleSignOut()];
    await vi.waitFor(() => expect(told()).toHaveLength(1));
    hear(json({ ok: true }));
    expect(await Promise.all(asked)).toEqual([true, true]);
    expect(told()).toHaveLength(1);
  });
  test('is left to a press that came before the app, until that is over', async () => {
    oweSignOut();
    let over = () => {};
    const paying = new Promise<void>((done) => (over = done));
    vi.stubGlobal('musterBoot', { paying });
    const settled = settleSignOut();
    await new Promise((next) => setTimeout(next, 0));
    expect(told()).toEqual([]);
    localStorage.removeItem('muster-sign-out-owed');
    over();
    expect(await settled).toBe(true);
    expect(told()).toEqual([]);
  });
  test('a flood limit is waited for; a refusal for good keeps nobody out for ever', async () => {
    oweSignOut();
    server.answer(() => refusal(429, 'TOO_MANY_REQUESTS'));
    expect(await settleSignOut()).toBe(false);
    server.answer(() => refusal(403, 'CROSS_SITE'));
    expect(await settleSignOut()).toBe(true);
  });
  test('is paid before the next sign-in begins, which it would end otherwise', async () => {
    oweSignOut();
    server.answer(() => json({ ok: true }));
    // A server that took longer than a read may.
    server.answer(() => {
      server.answer(() => json({ ok: true }));
      return Promise.reject(new DOMException('The operation timed out', 'TimeoutError'));
    });
    const link = document.createElement('a');
    link.href = '/api/auth/telegram/start?next=%2F';
    document.body.append(link);
    const before: unknown[] = [];
    const assign = vi
      .spyOn(location, 'assign')
      .mockImplementation(() => void before.push(told(), localStorage.getItem('muster-sign-out-owed')));
    const click = new MouseEvent('click', { bubbles: true, cancelable: true });
    link.dispatchEvent(click);
    expect(click.defaultPrevented).toBe(true);
    await vi.waitFor(() => expect(assign).toHaveBeenCalledOnce());
    expect(before).toEqual([Array(2).fill('POST /api/auth/logout'), null]);
    const after = new MouseEvent('click', { bubbles: true, cancelable: true });
    link.addEventListener('click', (event) => event.stopImmediatePropagation());
    link.dispatchEvent(after);
    expect(assign).toHaveBeenCalledOnce();
  });
});
