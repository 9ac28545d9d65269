// @vitest-environment node
/** Every refusal that a screen can meet has words in the catalogue, by its reason and what that is about. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { errorWords } from '../../app/lib/error-words.ts';
import { CHAT_MEMBERSHIP_REQUIRED } from '../../server/contract/chat-limits.ts';
import { FORGOTTEN, MEMBERSHIP_REVOKED, SUSPENDED } from '../../server/contract/errors.ts';

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
  // mine.ts
  why: ['APPEAL_USED', 'APPEAL_TOO_LATE'],
  // admins.ts
  reason: ['ADMIN_LINK_UNKNOWN', 'ADMIN_LINK_USED', 'ADMIN_LINK_EXPIRED', 'ADMIN_EXISTS'],
};

/** Refusals of programs: of a request that no screen of ours makes, or in which it is made wrongly. */
const OF_PROGRAMS = new Set([
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
  'TYPE_NOT_TAKEN',
]);

/** Of these the server's own sentence says what the reason leaves open: which thing, which field, which rule, who, why. */
const SAID_BY_THE_SERVER = new Set([
  'ADMIN_LINK_EXPIRED',
  'ADMIN_LINK_UNKNOWN',
  'ADMIN_LINK_USED',
  'ALREADY_DECIDED',
  'CHAT_NOT_CONNECTED',
  'CLAIM_CHANGED',
  'CODE_WRONG',
  'COMMUNITY_SUSPENDED',
  'DATE_NOT_ALLOWED',
  'DATE_OUT_OF_RANGE',
  'EVIDENCE_REQUIRED',
  'INVALID_INPUT',
  'MESSAGE_NOT_HERE',
  'NOT_ALLOWED',
  'NOT_FOUND',
  'NOT_SEEN_YET',
  'NUMBER_NOT_ALLOWED',
  'ONLY_LEADER',
  'PARTNERSHIP_LIMIT',
  'QUESTIONS_USED_UP',
  'SUSPENDED',
  'TASK_LOCKED',
  'TELEGRAM_MEMBERSHIP_REVOKED',
  'TIME_ZONE_LOCKED',
  'URL_NOT_ALLOWED',
  'X_POST_WRONG',
  'X_RELINK_LOCKED',
]);

/** Something for each name that a word may want. */
const ANYTHING = new Proxy<Record<string, unknown>>({}, { get: (_, name) => (name === 'of' ? 'you' : 7) });
const DETAILS: Record<string, unknown> = { CAP_REACHED: { cap: 'member' } };

function reasons(): Set<string> {
  const found = new Set<string>();
  for (const [name, text] of sources)
    for (const [, literal, named] of text.matchAll(/new HttpError\(\s*[^,]+,\s*(?:'([A-Z_0-9]+)'|([\w.]+)),/g)) {
      expect(literal ?? Object.hasOwn(NAMED, named ?? ''), `${name}: ${named}`).toBeTruthy();
      for (const reason of literal ? [literal] : (NAMED[named ?? ''] ?? [])) found.add(reason);
    }
  return found;
}

test('every reason of the server has words, or says why it has none', () => {
  const all = reasons();
  expect(all.size).toBeGreaterThan(150);
  const missing = [...all].filter(
    (reason) =>
      !OF_PROGRAMS.has(reason) &&
      !SAID_BY_THE_SERVER.has(reason) &&
      errorWords(reason, DETAILS[reason] ?? ANYTHING) === null,
  );
  expect(missing.sort()).toEqual([]);
  // What is gone from the server goes from here.
  const gone = [...OF_PROGRAMS, ...SAID_BY_THE_SERVER].filter((reason) => !all.has(reason));
  expect(gone).toEqual([]);
});

test('the words say what it is about, and are the server’s where that is not known', async () => {
  expect(errorWords('TASK_LIMIT', { limit: 200 })).toContain('at most 200 open tasks');
  expect(errorWords('TASK_LIMIT', undefined)).toBeNull();
  expect(errorWords('CAP_REACHED', { cap: 'member' })).toBe('You’ve reached the limit for this task.');
  expect(errorWords('CAP_REACHED', { cap: 'member', of: 'them' })).toBeNull();
  expect(errorWords('NEVER_HEARD_OF', {})).toBeNull();
  expect(errorWords('toString', {})).toBeNull();
  vi.resetModules();
  const { loadServerWords, serverWords } = await import('../../app/lib/server-words.ts');
  const refusal = { reason: 'NOT_OPEN_YET', message: 'As the server says.' };
  expect(serverWords(refusal)).toBe('As the server says.');
  await loadServerWords();
  expect(serverWords(refusal)).toBe('This task isn’t open at this time.');
  expect(serverWords({ ...refusal, reason: 'NOT_FOUND' })).toBe('As the server says.');
});
