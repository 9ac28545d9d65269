/**
 * The rule table: each rule of sections 3 (client log entries), 4, 5 and 7 of the specification that the page keeps, and the test that
 * holds it. What other rooms keep is named with the file whose tests hold it there, down to the test where one rule has
 * one.
 */
import { QueryObserver } from '@tanstack/react-query';
import { expect, vi } from 'vitest';
import { checkMembership } from '../../app/features/shell/background.ts';
import { call, HttpError, isShutOut, request } from '../../app/lib/http.ts';
import { createQueryClient, read, reader, userQuery } from '../../app/lib/query.ts';
import { COMMUNITY_READS, keyOf, readsOf, urlOf } from '../../app/lib/query-keys.ts';
import { holdRules, type Rule, refused } from './rule-table.ts';
import { aUser, fakeServer, json, refusal } from './support.tsx';

const RULES: Rule[] = [
  {
    section: 4,
    says: 'revoked is an authentication error that contains TELEGRAM_MEMBERSHIP_REVOKED',
    test: () => {
      expect(isShutOut(refused(403, 'TELEGRAM_MEMBERSHIP_REVOKED'))).toBe(true);
      expect(isShutOut(refused(401, 'so: TELEGRAM_MEMBERSHIP_REVOKED.'))).toBe(true);
      expect(isShutOut(refused(500, 'TELEGRAM_MEMBERSHIP_REVOKED'))).toBe(false);
      expect(isShutOut(new Error('TELEGRAM_MEMBERSHIP_REVOKED'))).toBe(false);
    },
  },
  { section: 4, says: 'states of authentication, all of them', elsewhere: 'tests/app/gate.test.ts' },
  {
    section: 4,
    says: 'a 401 means signed out, whichever request meets it',
    test: async () => {
      const server = fakeServer();
      const client = createQueryClient();
      client.setQueryData(userQuery.queryKey, aUser);
      server.answer(() => refusal(401, 'UNAUTHENTICATED'));
      await client.fetchQuery({ ...read('GET /api/user/communities') }).catch(() => undefined);
      expect(client.getQueryData(userQuery.queryKey)).toBeNull();
    },
  },
  {
    section: 4,
    says: 'notification permission: granted, denied or default',
    elsewhere: 'tests/app/push.test.tsx',
    named: 'goes no further when the person says %s',
  },
  {
    section: 4,
    says: 'push subscription: none, then an existing one reused or a new one created, then saved to the server',
    elsewhere: 'tests/app/push.test.tsx',
    named: 'reuses the subscription that there is',
  },
  {
    section: 4,
    says: 'a subscription whose save gets 401 or fails is stored locally as pending and retried after login',
    elsewhere: 'tests/worker/push.test.ts',
    named: 'a save that meets a 401 is pending until the same member is signed in again',
  },
  {
    section: 4,
    says: 'the install prompt is shown on an install-prompt event',
    elsewhere: 'tests/app/install.test.tsx',
    named: 'nothing is offered until the browser offers; its own banner is held back',
  },
  {
    section: 4,
    says: 'the install prompt is hidden when dismissed, remembered for the session',
    elsewhere: 'tests/app/install.test.tsx',
    named: "'Not now' hides it for this session, also after a reload and another offer",
  },
  {
    section: 4,
    says: 'the install prompt is hidden when already installed',
    elsewhere: 'tests/app/install.test.tsx',
    named: 'hidden once installed, and where it runs installed already',
  },
  {
    section: 4,
    says: "the update flow: a new version shows 'App Update Ready' with 'Update Now' or dismiss",
    elsewhere: 'tests/app/update.test.tsx',
    named: "'App Update Ready' appears",
  },
  {
    section: 4,
    says: 'the app clears all caches and reloads, with at least 5 seconds between automatic reloads',
    elsewhere: 'tests/app/update.test.tsx',
    named: 'at least five seconds apart',
  },
  {
    section: 4,
    says: 'after the user is fetched again, community lists are refreshed',
    test: async () => {
      const server = fakeServer();
      const client = createQueryClient();
      const order: string[] = [];
      server.answer(({ url }) => {
        order.push(url);
        return json(url === '/api/auth/user' ? aUser : []);
      });
      const stop = new QueryObserver(client, read('GET /api/user/communities')).subscribe(() => undefined);
      await vi.waitFor(() => expect(order).toEqual(['/api/user/communities']));
      await checkMembership(client);
      expect(order).toEqual(['/api/user/communities', '/api/auth/user', '/api/user/communities']);
      stop();
    },
  },
  {
    section: 5,
    says: 'no form validation of the page: the server names each wrong field',
    elsewhere: 'tests/integration/http-input.test.ts',
  },
  {
    section: 5,
    says: 'the push permission request is blocked inside an iframe unless the host is a production host',
    elsewhere: 'tests/app/push.test.tsx',
    named: 'only production, replit and local hosts may ask inside a frame',
  },
  {
    section: 5,
    says: 'notifications must be supported by the browser',
    elsewhere: 'tests/app/push.test.tsx',
    named: 'says so where the browser cannot',
  },
  {
    section: 5,
    says: 'the server must return a public key, or subscribing fails',
    elsewhere: 'tests/app/push.test.tsx',
    named: 'says so where the server gives no key (%j)',
  },

  {
    section: 7,
    says: 'all requests include credentials',
    test: async () => {
      const server = fakeServer();
      await request('GET', '/api/health');
      await request('POST', '/api/x', { a: 1 });
      await call('GET /api/auth/user');
      expect(server.asked.map(({ init }) => init.credentials)).toEqual(['include', 'include', 'include']);
    },
  },
  {
    section: 7,
    says: 'a JSON content type is sent only when a body is present',
    test: async () => {
      const server = fakeServer();
      const typeOf = (n: number) => new Headers(server.asked[n]?.init.headers).get('content-type');
      await request('GET', '/api/a');
      await request('POST', '/api/b');
      await request('POST', '/api/c', { a: 1 });
      await request('POST', '/api/d', null);
      expect([typeOf(0), typeOf(1), typeOf(2), typeOf(3)]).toEqual([
        null,
        null,
        'application/json',
        'application/json',
      ]);
      expect(server.asked[1]?.init.body).toBeUndefined();
      expect(server.asked[2]?.init.body).toBe('{"a":1}');
    },
  },
  {
    section: 7,
    says: 'the generic helper sends any method to any URL and gives the response after the error check',
    test: async () => {
      const server = fakeServer();
      server.answer(() => new Response('plain', { status: 201 }));
      const response = await request('DELETE', '/api/anything?x=1');
      expect([response.status, await response.text()]).toEqual([201, 'plain']);
      expect([server.asked[0]?.method, server.asked[0]?.url]).toEqual(['DELETE', '/api/anything?x=1']);
      server.answer(() => refusal(418, 'TEAPOT'));
      await expect(request('PUT', '/api/x', {})).rejects.toBeInstanceOf(HttpError);
    },
  },
  {
    section: 7,
    says: "a cached query is a GET of the URL that its key's segments make, joined with '/', reading JSON",
    test: async () => {
      const server = fakeServer();
      server.answer(() => json({ ok: 1 }));
      const client = createQueryClient();
      expect(await client.fetchQuery({ queryKey: ['/api/communities', '17', 'dashboard'] })).toEqual({ ok: 1 });
      expect([server.asked[0]?.method, server.asked[0]?.url]).toEqual(['GET', '/api/communities/17/dashboard']);
    },
  },
  {
    section: 7,
    says: 'typed reads build such keys, parameters encoded',
    test: () => {
      expect(keyOf('GET /api/user/communities')).toEqual(['/api/user/communities']);
      expect(keyOf('GET /api/communities/:communityId/dashboard', { communityId: 'a/b' })).toEqual([
        '/api/communities',
        'a%2Fb',
        'dashboard',
      ]);
      const board = keyOf('GET /api/communities/:communityId/leaderboard', { communityId: 'rv' }, { period: 'week' });
      expect(urlOf(board)).toBe('/api/communities/rv/leaderboard?period=week');
    },
  },
  {
    section: 7,
    says: 'in one mode a 401 is an empty answer, in the default mode an error',
    test: async () => {
      fakeServer().answer(() => refusal(401, 'UNAUTHENTICATED'));
      await expect(reader('null')({ queryKey: ['/api/auth/user'] })).resolves.toBeNull();
      await expect(reader('throw')({ queryKey: ['/api/auth/user'] })).rejects.toMatchObject({ status: 401 });
      fakeServer().answer(() => refusal(403, 'NO'));
      await expect(reader('null')({ queryKey: ['/api/auth/user'] })).rejects.toMatchObject({ status: 403 });
    },
  },
  {
    section: 7,
    says: 'invalidated after the membership check: /api/user/communities, /api/communities, /api/communities/*',
    test: () => {
      const keys = [
        ['/api/user/communities'],
        ['/api/communities'],
        ['/api/communities?search=fern'],
        ['/api/communities', '17', 'dashboard'],
      ];
      const isCommunityRead = (queryKey: string[]) => readsOf(COMMUNITY_READS).predicate({ queryKey });
      expect(keys.map(isCommunityRead)).toEqual([true, true, true, true]);
      expect([['/api/user/profile'], ['/api/auth/user'], ['/api/communitiesx']].map(isCommunityRead)).toEqual([
        false,
        false,
        false,
      ]);
    },
  },
  {
    section: 7,
    says: 'POST /api/debug/client-logs takes {type: error or debug, data}',
    elsewhere: 'tests/app/logs.test.tsx',
    named: 'where nobody keeps it an entry is sent as it is, in the single form',
  },
  {
    section: 7,
    says: 'and the server stores it, by a signed-out device too',
    elsewhere: 'tests/integration/client-logs.test.ts',
    named: 'of kind %s is stored as it was sent',
  },
  {
    section: 3,
    says: 'an error entry has message, stack, source, timestamp, url, userAgent, additionalData; a debug entry action, data, timestamp, source',
    elsewhere: 'tests/app/logs.test.tsx',
    named: 'both kinds are as the specification has them',
  },
  { section: 7, says: 'a service worker is served at /sw.js', elsewhere: 'tests/integration/http-static.test.ts' },
  {
    section: 7,
    says: 'GET /api/vapid-public-key, POST /api/pwa/subscribe',
    elsewhere: 'tests/integration/push-subscriptions.test.ts',
    named: 'a subscription is saved under who is signed in, and only then',
  },
];

holdRules([3, 4, 5, 7], RULES);
