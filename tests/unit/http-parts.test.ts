import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';
import type { Logger } from 'pino';
import { describe, expect, test } from 'vitest';
import { HttpError } from '../../server/base/http-error.ts';
import { isStorable, storable } from '../../server/base/text.ts';
import { signedInCookie } from '../../server/contract/sw-messages.ts';
import { Conditions } from '../../server/contract/tasks.ts';
import { type CookieJar, giveSession, takeSessionCookie } from '../../server/features/auth/session-cookies.ts';
import { addressKey } from '../../server/http/call-counts.ts';
import { callerReader } from '../../server/http/caller.ts';
import { cookieLine, readCookies, sessionCookie } from '../../server/http/cookies.ts';
import { checkOrigin } from '../../server/http/csrf.ts';
import { httpErrorOf, logError, storageFull } from '../../server/http/errors.ts';
import { readKey, requestHash } from '../../server/http/idempotency.ts';
import { parseInput } from '../../server/http/input.ts';
import { acceptedEncoding, namesHtml } from '../../server/http/negotiate.ts';
import { isFresh } from '../../server/http/send.ts';
import { fc, runs } from '../support/chance.ts';

const HTTPS = { publicOrigin: 'https://muster.example' };
const HTTP = { publicOrigin: 'http://localhost:3000' };

describe('origin check', () => {
  const passes = (method: string, headers: Record<string, string>) => {
    try {
      checkOrigin(method, headers, HTTPS.publicOrigin);
      return true;
    } catch (error) {
      if (error instanceof HttpError && error.reason === 'CROSS_SITE') return false;
      throw error;
    }
  };

  test('a change is only let through from our own pages, whatever the combination of headers', () => {
    const site = fc.constantFrom(undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'Same-Origin', '');
    const origin = fc.constantFrom(
      undefined,
      HTTPS.publicOrigin,
      'https://muster.example.evil.test',
      'http://muster.example',
      'https://muster.example:444',
      'null',
      '',
    );
    const cookie = fc.constantFrom(undefined, '__Host-sid=x', '__Host-sid-tma=x', 'theme=dark');
    fc.assert(
      fc.property(
        fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'),
        site,
        origin,
        cookie,
        (method, s, o, c) => {
          const headers = {
            ...(s === undefined ? {} : { 'sec-fetch-site': s }),
            ...(o === undefined ? {} : { origin: o }),
            ...(c === undefined ? {} : { cookie: c }),
          };
          const allowed =
            s === 'same-origin' ||
            (s === undefined && (o === HTTPS.publicOrigin || (o === undefined && c === undefined)));
          expect(passes(method, headers)).toBe(allowed);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('reading is not held up', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(passes(method, { 'sec-fetch-site': 'cross-site', cookie: 'a=b' })).toBe(true);
  });
});

describe('cookies', () => {
  test('on https a session is __Host-, Secure, HttpOnly and Lax', () => {
    expect(cookieLine(HTTPS, sessionCookie(HTTPS, 'web'), 'token', { maxAgeMs: 90_500, sameSite: 'Lax' })).toBe(
      '__Host-sid=token; Max-Age=90; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
  });
  test('on https the mark that pages read is one that no other host of the domain can set', () => {
    expect([signedInCookie(true), signedInCookie(false)]).toEqual(['__Host-signed-in', 'signed-in']);
    const given: string[] = [];
    const jar = { runtime: { config: HTTPS }, cookies: {}, setCookie: (name: string) => void given.push(name) };
    giveSession(jar as unknown as CookieJar, 'web', 'token');
    takeSessionCookie(jar as unknown as CookieJar, 'mini_app');
    expect(given).toEqual(['__Host-sid', '__Host-signed-in', '__Host-sid-tma', '__Host-signed-in']);
  });
  test('inside Telegram it is partitioned and crosses sites', () => {
    expect(
      cookieLine(HTTPS, sessionCookie(HTTPS, 'mini_app'), 't', {
        maxAgeMs: 1_000,
        sameSite: 'None',
        partitioned: true,
      }),
    ).toBe('__Host-sid-tma=t; Max-Age=1; Path=/; HttpOnly; Secure; Partitioned; SameSite=None');
  });
  test('on plain http a browser would refuse None and Secure, but on names of this computer; the prefix always', () => {
    const framed = { maxAgeMs: 0, sameSite: 'None', partitioned: true } as const;
    const ours = 'sid-tma=t; Max-Age=0; Path=/; HttpOnly; Secure; Partitioned; SameSite=None';
    expect(cookieLine(HTTP, sessionCookie(HTTP, 'mini_app'), 't', framed)).toBe(ours);
    const plain = { publicOrigin: 'http://muster.example' };
    expect(cookieLine(plain, sessionCookie(plain, 'mini_app'), 't', framed)).toBe(
      'sid-tma=t; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    );
    expect(cookieLine(HTTP, sessionCookie(HTTP, 'web'), 't', { maxAgeMs: 0, sameSite: 'Lax' })).toBe(
      'sid=t; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    );
  });
  test('a name or value cannot break out of its header', () => {
    const write = (name: string, value: string) => cookieLine(HTTP, name, value, { maxAgeMs: 1, sameSite: 'Lax' });
    for (const bad of ['a;b', 'a\r\nSet-Cookie: x', 'a b', 'ä', 'a=b']) expect(() => write(bad, 'x')).toThrow();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const [pair = '', ...attributes] = write('sid', value).split('; ');
        expect(pair).toMatch(/^sid=[!-:<-~]*$/);
        expect(attributes).toEqual(['Max-Age=0', 'Path=/', 'HttpOnly', 'SameSite=Lax']);
        expect(readCookies(pair)['sid']).toBe(value);
      }),
    );
  });
  test('what is written is read again, and the first of a repeated name counts', () => {
    const read = readCookies('sid=one; theme=dark; sid=two; =x; broken; empty=');
    expect(read).toMatchObject({ sid: 'one', theme: 'dark', empty: '' });
    expect([read['broken'], read['toString']]).toEqual([undefined, undefined]);
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (header) => void readCookies(header)));
  });
});

describe('addresses', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%s is counted as %s', (address, key) => expect(addressKey(address)).toBe(key));
});

describe('whom a trusted proxy names', () => {
  const callerOf = callerReader(['10.0.0.0/8', '2001:db8::1']);
  const caller = (remoteAddress: string, forwarded: string) =>
    callerOf({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage);
  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:49152', '198.51.100.7'],
    ['[2001:db8::7]:49152', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['203.0.113.9, 198.51.100.7:49152, 10.1.2.3:80', '198.51.100.7'],
    ['198.51.100.7, [2001:db8::1]:443', '198.51.100.7'],
  ])('%s is %s, whatever its port', (forwarded, address) => expect(caller('10.0.0.1', forwarded)).toBe(address));
});

describe('what is written down of refusals', () => {
  test('a disk that is full gets one stack for a thousand refused requests, everything else its own', () => {
    const lines: unknown[][] = [];
    const log = { error: (...line: unknown[]) => void lines.push(line) } as unknown as Logger;
    const full = Object.assign(new Error('could not extend file'), { code: '53100' });
    for (let nth = 0; nth < 1_000; nth += 1) logError({ log: () => log }, full, storageFull('disk'));
    expect(lines).toEqual([[{ err: full, reason: 'STORAGE_FULL' }, 'request failed']]);
    const broken = new Error('undefined is not a function');
    for (let nth = 0; nth < 3; nth += 1) logError({ log: () => log }, broken, httpErrorOf(broken));
    expect(lines).toHaveLength(4);
    logError({ log: () => log }, full, new HttpError(404, 'NOT_FOUND', 'There is no such thing.'));
    expect(lines).toHaveLength(4);
  });
});

describe('text', () => {
  test('is made storable without touching what is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\u0000', '\ud800', '\udc00', '😀', 'é') }), (text) => {
        const mended = storable(text);
        expect(isStorable(mended)).toBe(true);
        expect(mended.length).toBe(text.length);
        if (isStorable(text)) expect(mended).toBe(text);
      }),
    );
  });
});

describe('idempotency', () => {
  test('the order of fields does not make another request; anything else does', () => {
    const hash = (path: string, body: unknown) => requestHash(path, body).toString('hex');
    expect(hash('/a', { x: 1, y: [{ p: 1, q: 2 }] })).toBe(hash('/a', { y: [{ q: 2, p: 1 }], x: 1 }));
    expect(hash('/a', { x: 1 })).not.toBe(hash('/b', { x: 1 }));
    expect(hash('/a', { x: 1 })).not.toBe(hash('/a', { x: '1' }));
    expect(hash('/a', { y: [1, 2] })).not.toBe(hash('/a', { y: [2, 1] }));
    expect(hash('/a', { x: null })).not.toBe(hash('/a', {}));
    expect(hash('/a', [['x', 1]])).not.toBe(hash('/a', { x: 1 }));
  });
  test.each([undefined, '', 'a b', 'ä', 'x'.repeat(129)])('%j is no key', (key) =>
    expect(() => readKey(key)).toThrow(HttpError),
  );
  test('128 visible characters are one', () => expect(readKey('~'.repeat(128))).toHaveLength(128));
});

describe('errors', () => {
  test('only a refusal speaks for itself', () => {
    const secret = new Error('password=hunter2 at /srv/app.ts');
    expect(httpErrorOf(secret)).toMatchObject({ status: 500, reason: 'INTERNAL' });
    expect(httpErrorOf(secret).message).not.toContain('hunter2');
    expect(httpErrorOf('thrown text').status).toBe(500);
    expect(httpErrorOf(undefined).status).toBe(500);
    const refusal = new HttpError(409, 'TAKEN', 'Taken');
    expect(httpErrorOf(refusal)).toBe(refusal);
  });
  test.each([
    ['ECONNREFUSED', 503, 'STORAGE_AWAY'],
    ['57P01', 503, 'STORAGE_AWAY'],
    ['EHOSTUNREACH', 503, 'STORAGE_AWAY'],
    ['ETIMEDOUT', 503, 'STORAGE_AWAY'],
    ['CONNECTION_WAIT', 503, 'STORAGE_AWAY'],
    ['CONNECTION_BUSY', 503, 'STORAGE_BUSY'],
    ['3D000', 503, 'STORAGE_AWAY'],
    ['28P01', 503, 'STORAGE_AWAY'],
    ['53100', 503, 'STORAGE_FULL'],
    ['53200', 503, 'STORAGE_FULL'],
    ['ENOSPC', 503, 'STORAGE_FULL'],
    ['40P01', 503, 'TRY_AGAIN'],
    ['23505', 500, 'INTERNAL'],
    ['ENOENT', 500, 'INTERNAL'],
  ])('%s is answered %i %s', (code, status, reason) => {
    expect(httpErrorOf(Object.assign(new Error('x'), { code }))).toMatchObject({ status, reason });
  });
  // The name of a container that is being started anew is known to nobody.
  test.each([
    ['ENOENT', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
    ['EAI_AGAIN', 'getaddrinfo'],
  ])('%s of %s is storage that is away', (code, syscall) => {
    expect(httpErrorOf(Object.assign(new Error('x'), { code, syscall })).status).toBe(503);
    expect(httpErrorOf(Object.assign(new Error('x'), { code, syscall: 'open' })).status).toBe(500);
  });
});

describe('answers', () => {
  const asking = (headers: Record<string, string | undefined>): Request =>
    Object.assign(Object.create(express.request), { headers });
  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
    [undefined, null],
    ['gzip, deflate, br, zstd', 'br'],
    ['*', 'br'],
  ])('Accept-Encoding %s gets %s', (header, encoding) =>
    expect(acceptedEncoding(asking({ 'accept-encoding': header }))).toBe(encoding),
  );
  test.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['*/*', false],
    [undefined, false],
    ['text/css,*/*;q=0.1', false],
    ['application/json, text/html;q=0', false],
  ])('Accept %s names HTML: %s', (accept, named) => expect(namesHtml(asking({ accept }))).toBe(named));
  test.each([
    ['W/"a"', true],
    ['"a"', true],
    ['"b", W/"a"', true],
    ['*', true],
    ['"b"', false],
    [undefined, false],
  ])('If-None-Match %s fresh: %s', (header, fresh) => expect(isFresh(header, 'W/"a"')).toBe(fresh));
});

describe('what is wrong with an input', () => {
  const problemOf = (value: unknown): unknown => {
    try {
      parseInput(Conditions, value);
    } catch (error) {
      if (error instanceof HttpError) return error.message;
    }
    return null;
  };
  const level = { is: 'level', atLeast: 1 };

  test.each([
    [{ ...level, evil: 1 }, 'of.0.evil: Unknown field'],
    [{ is: 'role', role: 'leader' }, 'of.0.role: Invalid option: expected one of "member"|"moderator"'],
    [{ is: 'date', from: true, until: null }, 'of.0.from: Invalid input: expected string, received boolean'],
    [{ match: 'any', of: [level, { ...level, evil: 1 }] }, 'of.0.of.1.evil: Unknown field'],
    [{ match: 'some', of: [level] }, 'of.0.match: Invalid option: expected one of "all"|"any"'],
    [7, 'of.0: Invalid input: expected object, received number'],
  ])('is told of the field that it is in, whichever of several shapes was meant: %j', (condition, message) => {
    expect(problemOf({ match: 'all', of: [level] })).toBe(null);
    expect(problemOf({ match: 'all', of: [condition] })).toBe(message);
  });
});
