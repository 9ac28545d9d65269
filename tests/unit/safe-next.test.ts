import { describe, expect, it } from 'vitest';
import { safeNext } from '../../server/features/auth/safe-next.ts';
import { fc, runs } from '../support/chance.ts';

const OWN = 'https://muster.example';
const landsAt = (next: string) => new URL(next, OWN);

describe('where a person goes after signing in', () => {
  it('is the page they came from', () => {
    for (const path of [
      '/',
      '/profile',
      '/community/ridge-valley-walkers/dashboard?tab=tasks#top',
      '/leaderboard?period=week&scope=all',
      '/twitter-return?code=a%20b',
      '/explore-communities?q=caf%C3%A9',
    ]) {
      expect(safeNext(path)).toBe(path);
    }
  });

  it.each([
    '//evil.example',
    '///evil.example',
    '////evil.example/%2f..',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/%2f%2fevil.example',
    '/%2Fevil.example',
    '/%5Cevil.example',
    '/%5c%5cevil.example',
    '/%252f%252fevil.example',
    '/%25252fevil.example',
    '/%09/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/\r\nSet-Cookie: a=b',
    '/..//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/a/%2e%2e/%2fevil.example',
    'https:evil.example',
    'https://evil.example',
    'http:///evil.example',
    'javascript:alert(1)',
    '/javascript:alert(1)\u2028',
    'data:text/html,hi',
    '\u2028//evil.example',
    '/\u2028/evil.example',
    '/\u202e/evil.example',
    ' //evil.example',
    '/ /evil.example\u0000',
    '@evil.example',
    '//user:pass@evil.example',
    '//muster.example@evil.example',
    '.evil.example',
    '',
    '?next=/x',
    '/%',
    '/%ff',
    '/\ud800',
    '/api/auth/telegram/start',
    '/api',
    '/API/communities',
    `/${'a'.repeat(3_000)}`,
  ])('is the front door for %j', (next) => {
    expect(safeNext(next)).toBe('/');
  });

  it('is the front door when nothing was asked', () => {
    expect(safeNext(undefined)).toBe('/');
  });

  it('never leaves our origin, whatever is asked', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '//',
      '.',
      '..',
      '%2f',
      '%5c',
      '%252f',
      '%09',
      '%0a',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      '%',
      ' ',
      'https:',
      'javascript:',
      'evil.example',
      '\u2028',
      '\u00ad',
      '\uff0f',
      '\u3002',
      'a',
    );
    const hostile = fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 12 });
    fc.assert(
      fc.property(
        hostile.map((parts) => parts.join('')),
        fc.boolean(),
        (text, rooted) => {
          const next = safeNext(rooted ? `/${text}` : text);
          expect(landsAt(next).origin).toBe(OWN);
          expect(next).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
          // A proxy that decodes once more does not send anybody away either.
          expect(landsAt(decodeURIComponent(next)).origin).toBe(OWN);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});
