// @ts-check
/**
 * @typedef {object} Mistake
 * @property {string} name what went wrong, as it would be told afterwards
 * @property {string} file of the product
 * @property {string} from what stands there, once
 * @property {string} to what a person could have written instead
 * @property {string} test the file below `tests/` that should see it
 */

/** The one page that a browser looks at: it is enough for both of its mistakes. */
export const PAGE = '/explore-communities';

/** @type {Mistake[]} */
export const MISTAKES = [
  {
    name: 'an outbox that deletes before it sends',
    file: 'worker/drain.ts',
    from: 'for (const row of leased) write(outbox, row);',
    to: 'for (const row of leased) remove(outbox, row);',
    test: 'worker/drain.test.ts',
  },
  {
    name: 'a second award',
    file: 'server/storage/migrations/0005_ledger.sql',
    from: 'create unique index point_events_award',
    to: 'create index point_events_award',
    test: 'integration/ledger-record.test.ts',
  },
  {
    name: 'a lost lock',
    file: 'server/features/claims/write.ts',
    from: '=>\n  tx`select pg_advisory_xact_lock(',
    to: '=>\n  tx`select pg_advisory_xact_lock_shared(',
    test: 'integration/tasks-gate.test.ts',
  },
  {
    name: 'a leak at sign-out',
    file: 'service-worker/member.ts',
    from: '  await members.become(null);\n',
    to: '',
    test: 'service-worker/caching.test.ts',
  },
  {
    name: 'a role not checked',
    file: 'server/contract/members.ts',
    from: "'PUT /api/communities/:communityId/members/:userId/role': command('leader',",
    to: "'PUT /api/communities/:communityId/members/:userId/role': command('member',",
    test: 'unit/access.test.ts',
  },
  {
    name: 'a rank off by one',
    file: 'server/domain/ranks.ts',
    from: 'first.tied : index - begin;',
    to: 'first.tied : index - begin + 1;',
    test: 'unit/ranks.test.ts',
  },
  {
    name: 'a wrong time zone',
    file: 'server/domain/window.ts',
    from: 'const today = localDay(at, timeZone);',
    to: 'const today = at.toISOString().slice(0, 10);',
    test: 'unit/window.test.ts',
  },
  {
    name: 'a missing translation',
    file: 'app/lib/error-words.ts',
    from: '  UNDO_OVER: () => m.error_undo_over(),\n',
    to: '',
    test: 'app/error-words.test.ts',
  },
  {
    name: 'an axe violation',
    file: 'app/ui/tokens.css',
    from: '--text-2: #47554c;',
    to: '--text-2: #8b958e;',
    test: 'browser/every-page.test.ts',
  },
  {
    name: 'a page that shifts',
    file: 'app/features/communities/explore-screen.tsx',
    from: '<Reading query={query}>{(communities) => <Directory communities={communities} />}</Reading>',
    to: '{query.data && <Directory communities={query.data} />}',
    test: 'browser/every-page.test.ts',
  },
  {
    name: 'a cache of another member',
    file: 'service-worker/reads.ts',
    from: 'return seen.member === owner ? seen.epoch : null;',
    to: 'return seen.epoch;',
    test: 'service-worker/caching.test.ts',
  },
  {
    name: 'a 401 taken from a proxy',
    file: 'worker/verdict.ts',
    from: "if (isForeign(answer)) return 'retry';",
    to: "if (isForeign(answer) && answer.status !== 401) return 'retry';",
    test: 'worker/verdict.test.ts',
  },
  {
    name: 'a stale decision',
    file: 'server/domain/review-rules.ts',
    from: 'const seen = input.version ?? FIRST_VERSION;',
    to: 'const seen = input.version ?? claim.version;',
    test: 'integration/claims-versions.test.ts',
  },
  {
    name: 'a migration out of order',
    file: 'server/storage/migrate.ts',
    from: 'const migration = migrations[index];',
    to: 'const migration = migrations.find(({ version }) => version === row.version);',
    test: 'unit/migrations.test.ts',
  },
  {
    name: 'a token in a log',
    file: 'server/http/request-log.ts',
    from: "path: req.url.split('?', 1)[0]?.slice(0, 500),",
    to: 'path: req.url.slice(0, 500),',
    test: 'integration/log-secrets.test.ts',
  },
  {
    name: 'a quiz key in an answer',
    file: 'server/contract/quiz-grade.ts',
    from: 'return { kind: question.kind, id, text, items: question.items };',
    to: 'return question;',
    test: 'unit/quiz-grade.test.ts',
  },
  {
    name: 'a blocked loop',
    file: 'server/features/client-logs/scrub.ts',
    from: ']{1,100}=[^',
    to: ']+=[^',
    test: 'unit/hostile-text.test.ts',
  },
  {
    name: 'a route without limits',
    file: 'server/contract/review.ts',
    from: 'perMinute: 240 }',
    to: 'perMinute: Number.MAX_SAFE_INTEGER }',
    test: 'unit/route-table.test.ts',
  },
  {
    name: 'a hidden member shown',
    file: 'server/features/boards/statement.ts',
    from: 'case when u.hidden_at is null or u.id = (select $1::uuid) then u.display_name end',
    to: 'u.display_name',
    test: 'integration/hidden-members.test.ts',
  },
  {
    name: 'a board that forgets ties',
    file: 'server/domain/ranks.ts',
    from: 'if (row.points !== rows[begin]?.points) {',
    to: 'if (index > 0) {',
    test: 'unit/ranks.test.ts',
  },
];
