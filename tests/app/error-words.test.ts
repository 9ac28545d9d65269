/** Every refusal that a screen can meet has words in the catalogue, by its reason and what that is about. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { errorWords } from '../../app/lib/error-words.ts';
import { CHAT_MEMBERSHIP_REQUIRED } from '../../server/contract/chat-limits.ts';
import { FORGOTTEN, MEMBERSHIP_REVOKED, SUSPENDED } from '../../server/contract/errors.ts';
import { INPUT_FAULTS, MISSING } from '../../server/contract/refusals.ts';

const folder = resolve(import.meta.dirname, '../../server');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => [name, readFileSync(resolve(folder, name), 'utf8')] as const);

/** Reasons that do not stand where the error is made, by what stands there. */
const NAMED: Record<string, readonly string[]> = {
  CHAT_MEMBERSHIP_REQUIRED: [CHAT_MEMBERSHIP_REQUIRED],
  FORGOTTEN: [FORGOTTEN],
  MEMBERSHIP_REVOKED: [MEMBERSHIP_REVOKED],
  SUSPENDED: [SUSPENDED],
  // access.ts
  code: [SUSPENDED, 'COMMUNITY_SUSPENDED'],
  // create.ts
  problem: ['SLUG_INVALID', 'SLUG_RESERVED'],
  // review-rules.ts
  why: ['ANSWERED_AGAIN', 'APPEAL_USED', 'APPEAL_TOO_LATE'],
  // admins.ts
  reason: ['ADMIN_LINK_UNKNOWN', 'ADMIN_LINK_USED', 'ADMIN_LINK_EXPIRED', 'ADMIN_EXISTS'],
};

/** Refusals of programs: of a request that no screen of ours makes, or in which it is made wrongly. */
const OF_PROGRAMS = new Set([
  'SERVER_GOING',
  'BAD_PATH',
  'BAD_TEXT',
  'BODY_CUT_OFF',
  'CARDS_BUSY',
  'FORBIDDEN_NAME',
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_KEY_REUSED',
  'JSON_ONLY',
  'KEYS_INVALID',
  'KEY_UNKNOWN',
  'LOG_REJECTED',
  'MALFORMED_JSON',
  'METHOD_NOT_ALLOWED',
  'NOT_FOR_KEYS',
  'NOT_TELEGRAM',
  'TOO_DEEP',
  'TOO_MANY_VALUES',
  'TYPE_NOT_TAKEN',
]);

const CLAIM = { state: 'approved', decidedBy: 'Ines' };
/** Something for each name that a word may want. */
const ANYTHING = new Proxy<Record<string, unknown>>({}, { get: () => 7 });
/** What the server sends along with these, once for each of their words. */
const DETAILS: Record<string, readonly object[]> = {
  ALREADY_CLAIMED: [{ claim: CLAIM }, { of: 'them' }],
  ALREADY_DECIDED: [
    ...['submitted', 'approved', 'rejected', 'changes_requested', 'reversed'].flatMap((state) => [
      { claim: { state, decidedBy: 'Ines' } },
      { claim: { state, decidedBy: null } },
    ]),
    { claim: { ...CLAIM, state: 'rejected', appeal: { outcome: 'withdrawn' } } },
    { application: { state: 'approved' } },
    { application: { state: 'rejected' } },
    { state: 'accepted' },
  ],
  CAP_REACHED: [{ cap: 'member' }, { cap: 'total' }, { cap: 'member', of: 'them' }, { cap: 'total', of: 'them' }],
  CHAT_NOT_CONNECTED: [{ sort: 'group' }, { sort: 'channel' }],
  CLAIM_CHANGED: [{ claim: { ...CLAIM, appeal: null } }, { claim: { ...CLAIM, appeal: { outcome: 'open' } } }],
  CODE_WRONG: [{ why: 'unknown' }, { why: 'other_moment' }, { why: 'outside' }],
  COMMUNITY_SUSPENDED: [
    { until: null, reason: null },
    { until: '2026-12-09T15:57:00Z', reason: 'Spam.' },
  ],
  DATE_NOT_ALLOWED: [
    { problem: 'early', earliest: '2026-12-09', latest: null },
    { problem: 'late', earliest: null, latest: '2026-12-09' },
  ],
  DATE_OUT_OF_RANGE: [
    ...['date', 'from', 'pinnedUntil', 'sendAt', 'startsAt'].map((field) => ({ field })),
    { field: 'endsAt', days: 366 },
    { field: 'endsAt', days: null },
  ],
  EVIDENCE_REQUIRED: [{}, { asks: 'Your order number' }],
  INVALID_INPUT: INPUT_FAULTS.map((fault) => ({ problems: [{ field: 'setup.text', message: '', fault, limit: 4 }] })),
  MESSAGE_NOT_HERE: [{}, { title: 'The walkers' }],
  MODEL_FAILED: [{ isCounted: true }, { isCounted: false }],
  NOT_ALLOWED: [{ needs: 'leader' }, { needs: 'moderator' }],
  NOT_FOUND: MISSING.map((what) => ({ what })),
  NOT_SEEN_YET: [
    { why: 'no_chat' },
    ...['unknown', 'blind', 'no_reaction'].map((why) => ({ why, title: 'The walkers' })),
    ...['left', 'removed'].map((why) => ({ why, title: 'The walkers', at: '2026-12-09T15:57:00Z' })),
    { why: 'messages', title: 'The walkers', count: 2, needed: 5, minLength: 20 },
  ],
  NOT_VERIFIED: [{}, { of: 'them' }],
  NUMBER_NOT_ALLOWED: [
    { problem: 'low', min: 2, max: null, decimals: 0, unit: 'km' },
    { problem: 'high', min: null, max: 9, decimals: 0, unit: '' },
    { problem: 'decimals', min: null, max: null, decimals: 0, unit: '' },
    { problem: 'decimals', min: null, max: null, decimals: 2, unit: '' },
  ],
  ONLY_LEADER: [{ communities: [{ name: 'Walkers' }, { name: 'Harbour Sketchers' }] }],
  PACK_IN_USE: [{}, { count: 12 }],
  PARTNERSHIP_LIMIT: [{ whose: 'network' }, { whose: 'account' }, { whose: 'strangers' }],
  QUESTIONS_USED_UP: [{ whose: 'member' }, { whose: 'community' }, { whose: 'all' }],
  SUSPENDED: [
    { until: null, reason: null },
    { until: '2026-12-09T15:57:00Z', reason: null },
  ],
  TASK_LOCKED: [
    { by: 'claims', season: null },
    { by: 'season', season: 'Winter waymarks' },
  ],
  TIME_ZONE_LOCKED: [{ allowedAt: '2026-12-09T15:57:00Z' }],
  URL_NOT_ALLOWED: [
    { hosts: [] },
    { hosts: ['openstreetmap.org'] },
    { field: 'url', needs: 'web' },
    { field: 'url', needs: 'open_https' },
  ],
  X_RELINK_LOCKED: [{ allowedAt: '2026-12-09T15:57:00Z' }],
};
/** Reasons of which two cases are told in the same words. */
const SAID_ALIKE = new Set(['ALREADY_DECIDED', 'CAP_REACHED', 'DATE_OUT_OF_RANGE', 'URL_NOT_ALLOWED']);

function reasons(): Set<string> {
  const found = new Set<string>();
  for (const [name, text] of sources)
    for (const [, literal, named] of text.matchAll(/new HttpError\(\s*[^,]+,\s*(?:'([A-Z_0-9]+)'|([\w.]+)),/g)) {
      expect(literal ?? Object.hasOwn(NAMED, named ?? ''), `${name}: ${named}`).toBeTruthy();
      for (const reason of literal ? [literal] : (NAMED[named ?? ''] ?? [])) found.add(reason);
    }
  return found;
}

test('every reason of the server has words of the catalogue', () => {
  const all = reasons();
  expect(all.size).toBeGreaterThan(150);
  const missing = [...all].filter(
    (reason) =>
      !OF_PROGRAMS.has(reason) &&
      (DETAILS[reason] ?? [ANYTHING]).some((details) => !/^[^{}]{9,}$/.test(errorWords(reason, details) ?? '')),
  );
  expect(missing.sort()).toEqual([]);
  // What is gone from the server goes from here.
  expect([...OF_PROGRAMS, ...Object.keys(DETAILS)].filter((reason) => !all.has(reason))).toEqual([]);
});

test('each thing that a refusal tells apart has its own words', () => {
  for (const [reason, cases] of Object.entries(DETAILS)) {
    const words = cases.map((details) => errorWords(reason, details));
    if (!SAID_ALIKE.has(reason)) expect(new Set(words).size, `${reason}: ${words.join(' | ')}`).toBe(words.length);
  }
  for (const what of MISSING) expect(errorWords('NOT_FOUND', { what }), what).not.toBe(errorWords('NOT_FOUND', {}));
});

test('the words say what it is about, and are the server’s where that is not known', async () => {
  expect(errorWords('TASK_LIMIT', { limit: 200 })).toContain('at most 200 open tasks');
  expect(errorWords('TASK_LIMIT', undefined)).toBeNull();
  expect(errorWords('CAP_REACHED', { cap: 'member' })).toBe('You’ve reached the limit for this task.');
  expect(errorWords('CAP_REACHED', { cap: 'member', of: 'them' })).toBe(
    'This member has reached the limit for this task.',
  );
  expect(errorWords('ALREADY_DECIDED', { claim: CLAIM })).toBe('Ines has already approved this answer.');
  expect(errorWords('SUSPENDED', { until: null, reason: 'Spam.' })).toBe(
    'This account is suspended. Spam. Ask the people who run this server.',
  );
  const tooLong = { problems: [{ field: 'setup.text', message: 'Too big', fault: 'too_long', limit: 4000 }] };
  expect(errorWords('INVALID_INPUT', tooLong)).toBe('The text can have at most 4,000 characters.');
  expect(errorWords('NEVER_HEARD_OF', {})).toBeNull();
  expect(errorWords('toString', {})).toBeNull();
  vi.resetModules();
  const { loadServerWords, serverWords } = await import('../../app/lib/server-words.ts');
  const refusal = { reason: 'NOT_OPEN_YET', message: 'As the server says.' };
  expect(serverWords(refusal)).toBe('As the server says.');
  await loadServerWords();
  expect(serverWords(refusal)).toBe('This task isn’t open at this time.');
  expect(serverWords({ ...refusal, reason: 'NEVER_HEARD_OF' })).toBe('As the server says.');
});
