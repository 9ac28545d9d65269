/**
 * The rule table: each rule of sections 8 and 9 of the specification that the page keeps, and the test that
 * holds it. What other rooms keep is named with the file whose tests hold it there, down to the test where one rule has
 * one.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { focusManager, onlineManager, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { useHealthPoll, useMembershipCheck } from '../../app/features/shell/background.ts';
import { cachedAtOf, isNetworkFailure, request } from '../../app/lib/http.ts';
import {
  createQueryClient,
  read,
  retryRead,
  retryReadDelay,
  retryUser,
  retryUserDelay,
  userQuery,
} from '../../app/lib/query.ts';
import { dismissToast, toast, useToasts } from '../../app/ui/toast.tsx';
import * as limits from '../../server/contract/limits.ts';
import { away, defaults, delays, holdRules, messageOf, type Rule, refused, triesAfter } from './rule-table.ts';
import { aUser, fakeServer, json, refusal } from './support.tsx';

const RULES: Rule[] = [
  {
    section: 8,
    says: "an error's message is the body's text",
    test: async () => {
      fakeServer().answer(() => new Response('the disk is full', { status: 507 }));
      expect(await messageOf(request('GET', '/x'))).toBe('the disk is full');
    },
  },
  {
    section: 8,
    says: 'or the status text when the body is empty',
    test: async () => {
      fakeServer().answer(() => new Response('', { status: 502, statusText: 'Bad Gateway' }));
      expect(await messageOf(request('GET', '/x'))).toBe('Bad Gateway');
    },
  },
  {
    section: 8,
    says: 'or its message field when it is JSON with one',
    test: async () => {
      fakeServer().answer(() => json({ message: 'Taken.', reason: 'SLUG_TAKEN', requestId: 'r9' }, 409));
      const error = await request('GET', '/x').catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ message: 'Taken.', status: 409, reason: 'SLUG_TAKEN', requestId: 'r9' });
      fakeServer().answer(() => json({ detail: 'x' }, 400));
      expect(await messageOf(request('GET', '/x'))).toBe('{"detail":"x"}');
      fakeServer().answer(() => json('words', 400));
      expect(await messageOf(request('GET', '/x'))).toBe('"words"');
    },
  },
  {
    section: 8,
    says: '401 and 403: no retry, by the typed status and never by the text',
    test: () => {
      for (const rule of [retryRead, retryUser])
        expect([triesAfter(rule, refused(401)), triesAfter(rule, refused(403))]).toEqual([0, 0]);
      expect(triesAfter(retryRead, refused(500, 'code 401 at line 403'))).toBe(2);
    },
  },
  {
    section: 8,
    says: "the user query: 503 or 'Failed to fetch' up to 5 retries, other errors up to 2",
    test: () => {
      expect(triesAfter(retryUser, refused(503))).toBe(5);
      expect(triesAfter(retryUser, away)).toBe(5);
      expect(triesAfter(retryUser, refused(500))).toBe(2);
      expect([isNetworkFailure(away), isNetworkFailure(refused(503))]).toEqual([true, false]);
    },
  },
  {
    section: 8,
    says: "the user query's delay doubles from 2 s, capped at 30 s",
    test: () => expect(delays(retryUserDelay)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]),
  },
  {
    section: 8,
    says: 'the user query as a whole, with these rules: 503 five times, then the answer',
    test: async () => {
      const server = fakeServer();
      server.answer(() => (server.asked.length <= 5 ? refusal(503, 'BUSY') : json(aUser)));
      const fetching = createQueryClient().fetchQuery(userQuery);
      await vi.advanceTimersByTimeAsync(2000 + 4000 + 8000 + 16_000 + 29_000);
      expect(server.asked).toHaveLength(5);
      await vi.advanceTimersByTimeAsync(1_500);
      expect(server.asked).toHaveLength(6);
      expect(await fetching).toEqual(aUser);
      expect([userQuery.retry, userQuery.retryDelay]).toEqual([retryUser, retryUserDelay]);
    },
  },
  {
    section: 8,
    says: 'the general rule: up to 2 retries, delay doubles from 1 s to a cap of 30 s',
    test: () => {
      expect(triesAfter(retryRead, refused(500))).toBe(2);
      expect(triesAfter(retryRead, away)).toBe(2);
      expect(delays(retryReadDelay)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
      expect(defaults().queries).toMatchObject({ retry: retryRead, retryDelay: retryReadDelay });
    },
  },
  {
    section: 8,
    says: 'mutations are not retried',
    test: async () => {
      const client = createQueryClient();
      const attempt = vi.fn(async () => {
        throw refused(503);
      });
      const mutation = client.getMutationCache().build(client, { mutationFn: attempt });
      await mutation.execute(undefined).catch(() => undefined);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(attempt).toHaveBeenCalledTimes(1);
    },
  },
  {
    section: 8,
    says: 'TELEGRAM_MEMBERSHIP_REVOKED shows the Access Restricted screen',
    elsewhere: 'tests/app/restricted.test.tsx',
  },
  {
    section: 8,
    says: "a render crash: 'Something went wrong'; the outer fallback",
    elsewhere: 'tests/app/boundary.test.tsx',
  },
  {
    section: 8,
    says: 'uncaught errors go to the log endpoint by way of the device',
    elsewhere: 'tests/app/page-errors.test.ts',
    named: 'an uncaught error of the page becomes an entry of the error kind, with every field of the specification',
  },
  {
    section: 8,
    says: 'and so do rejections',
    elsewhere: 'tests/app/page-errors.test.ts',
    named: 'so does a rejection that nobody caught',
  },
  {
    section: 8,
    says: 'in a real browser: raised offline, kept, and delivered once it is there again',
    elsewhere: 'tests/browser/ops.test.ts',
    named: 'raised offline and replayed is one issue, with its line of code, what came before and the time offline',
  },
  {
    section: 8,
    says: 'where posting fails, up to 50 entries are kept per kind',
    elsewhere: 'tests/worker/client-logs.test.ts',
    named: '50 of each kind: the oldest goes first and every loss is counted',
  },
  {
    section: 8,
    says: 'and retried later',
    elsewhere: 'tests/worker/client-logs.test.ts',
    named: 'five after a failure, growing back; nothing is sent before its time, unless in a hurry',
  },
  {
    section: 8,
    says: 'a 401 on subscription save stores the subscription as pending and warns',
    elsewhere: 'tests/app/push.test.tsx',
    named: 'is in pencil until the server has it, and says that a sign-in is needed after a 401',
  },
  {
    section: 8,
    says: "'Notifications not supported in browser'",
    elsewhere: 'tests/app/push.test.tsx',
    named: 'says so where the browser cannot',
  },
  {
    section: 8,
    says: "'VAPID public key not available from server'",
    elsewhere: 'tests/app/push.test.tsx',
    named: 'says so where the server gives no key (%j)',
  },

  {
    section: 9,
    says: 'auth user data: stale after 30 s, kept 15 min',
    test: () => expect([userQuery.staleTime, userQuery.gcTime]).toEqual([30_000, 900_000]),
  },
  {
    section: 9,
    says: 'membership check: every 2 min, also while the tab is in the background, stale after 1 min',
    test: async () => {
      const server = fakeServer();
      server.answer(() => json(aUser));
      focusManager.setFocused(false);
      const client = createQueryClient();
      const Checked = () => {
        useMembershipCheck(true);
        return null;
      };
      render(
        <QueryClientProvider client={client}>
          <Checked />
        </QueryClientProvider>,
      );
      await vi.advanceTimersByTimeAsync(119_000);
      expect(server.asked).toHaveLength(0);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(server.asked.map(({ url }) => url)).toEqual(['/api/auth/user']);
      await vi.advanceTimersByTimeAsync(120_000);
      expect(server.asked).toHaveLength(2);
      expect(limits.MEMBERSHIP_CHECK_STALE_MS).toBe(60_000);
    },
  },
  {
    section: 9,
    says: 'no membership check while nobody is signed in',
    test: async () => {
      const server = fakeServer();
      const Checked = () => {
        useMembershipCheck(false);
        return null;
      };
      render(
        <QueryClientProvider client={createQueryClient()}>
          <Checked />
        </QueryClientProvider>,
      );
      await vi.advanceTimersByTimeAsync(600_000);
      expect(server.asked).toHaveLength(0);
    },
  },
  {
    section: 9,
    says: 'health poll: every 30 s, its result ignored, failures too',
    test: async () => {
      const server = fakeServer();
      server.answer(() => (server.asked.length === 1 ? Promise.reject(away) : refusal(500, 'BAD')));
      const Polled = () => {
        useHealthPoll();
        return <p>still here</p>;
      };
      render(<Polled />);
      await vi.advanceTimersByTimeAsync(90_500);
      expect(server.asked.map(({ url }) => url)).toEqual(['/api/health', '/api/health', '/api/health']);
      expect(screen.getByText('still here')).toBeTruthy();
    },
  },
  {
    section: 9,
    says: 'reload cooldown and registration of the service worker',
    elsewhere: 'tests/app/update.test.tsx',
  },
  {
    section: 9,
    says: 'automatic reloads at least 5 s apart, none while the server is away',
    elsewhere: 'tests/app/update.test.tsx',
  },
  {
    section: 9,
    says: 'a screen stands from the device at once, whatever the freshness; one request to the server a read',
    elsewhere: 'tests/app/reads.test.tsx',
  },
  { section: 9, says: 'tooltip delays, default theme', elsewhere: 'tests/app/theme.test.tsx' },
  {
    section: 9,
    says: 'install dismissal remembered once per session',
    elsewhere: 'tests/app/install.test.tsx',
    named: "'Not now' hides it for this session, also after a reload and another offer",
  },
  {
    section: 9,
    says: 'local log cap: 50 entries per kind',
    elsewhere: 'tests/worker/client-logs.test.ts',
    named: '50 of each kind: the oldest goes first and every loss is counted',
  },
  {
    section: 9,
    says: 'production hosts, for the rule of section 5',
    elsewhere: 'tests/app/push.test.tsx',
    named: 'only production, replit and local hosts may ask inside a frame',
  },
  { section: 9, says: 'update notice dismissed after 5 s', elsewhere: 'tests/app/update.test.tsx' },
  {
    section: 9,
    says: 'query freshness 10 min, unused cache kept 30 min',
    test: () => expect(defaults().queries).toMatchObject({ staleTime: 600_000, gcTime: 1_800_000 }),
  },
  {
    section: 9,
    says: 'no polling, no refetch on focus, always on reconnect',
    test: async () => {
      const server = fakeServer();
      server.answer(() => json([]));
      const client = createQueryClient();
      client.mount();
      const stop = new QueryObserver(client, read('GET /api/communities')).subscribe(() => undefined);
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(server.asked).toHaveLength(1);
      focusManager.setFocused(false);
      focusManager.setFocused(true);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(server.asked).toHaveLength(1);
      onlineManager.setOnline(false);
      onlineManager.setOnline(true);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(server.asked).toHaveLength(2);
      stop();
      client.unmount();
    },
  },
  {
    section: 9,
    says: 'without a connection a read still goes out: the service worker answers it',
    test: async () => {
      const server = fakeServer();
      server.answer(() => json([], 200, { 'x-muster-cached-at': '1000' }));
      onlineManager.setOnline(false);
      expect(await createQueryClient().fetchQuery(read('GET /api/communities'))).toEqual([]);
      expect(cachedAtOf('/api/communities')).toBe(1000);
      server.answer(() => json([]));
      await createQueryClient().fetchQuery(read('GET /api/communities'));
      expect(cachedAtOf('/api/communities')).toBeNull();
    },
  },
  { section: 9, says: 'mutation cache 5 min', test: () => expect(defaults().mutations?.gcTime).toBe(300_000) },
  {
    section: 9,
    says: 'toasts: one at a time; a dismissed one is taken out after 1,000,000 ms',
    test: async () => {
      const shown: string[][] = [];
      const Listed = () => {
        const toasts = useToasts();
        shown.push(toasts.map(({ title, open }) => `${title} ${open}`));
        return null;
      };
      render(<Listed />);
      act(() => void toast({ title: 'first' }));
      let second = 0;
      act(() => {
        second = toast({ title: 'second' });
      });
      expect(shown.at(-1)).toEqual(['second true']);
      act(() => dismissToast(second));
      expect(shown.at(-1)).toEqual(['second false']);
      await act(() => vi.advanceTimersByTimeAsync(999_000));
      expect(shown.at(-1)).toEqual(['second false']);
      await act(() => vi.advanceTimersByTimeAsync(2_000));
      expect(shown.at(-1)).toEqual([]);
    },
  },
  { section: 9, says: 'toast duration, swipe, hotkey F8, region', elsewhere: 'tests/app/toaster.test.tsx' },
  {
    section: 9,
    says: 'the constants themselves',
    test: () =>
      expect(limits).toMatchObject({
        AUTOMATIC_RELOAD_COOLDOWN_MS: 5_000,
        SERVICE_WORKER_REGISTERED_AFTER_MS: 1_000,
        LOG_CAP_PER_KIND: 50,
        TOOLTIP_DELAY_MS: 700,
        TOOLTIP_SKIP_DELAY_MS: 300,
        UPDATE_NOTICE_DISMISS_MS: 5_000,
        TOAST_DURATION_MS: 5_000,
        TOAST_SWIPE_PX: 50,
      }),
  },
  {
    section: 9,
    says: 'toasts: at most 420 px wide from the medium breakpoint, bottom right there, on top before',
    test: () => {
      const css = readFileSync(resolve(import.meta.dirname, '../../app/ui/toast.css'), 'utf8').replace(/\s+/g, ' ');
      expect(css).toMatch(/\.toast-region \{ position: fixed;[^}]*inset-block-start: calc\(60px/);
      expect(css).toMatch(
        new RegExp(
          `@media \\(min-width: 768px\\) \\{ \\.toast-region \\{ inset-block: auto \\d+px;[^}]*inline-size: ${limits.TOAST_MAX_WIDTH_PX}px`,
        ),
      );
    },
  },
];

holdRules([8, 9], RULES);
