import type { Activity } from '../../server/contract/activity.ts';
import type { BoardRow } from '../../server/contract/boards.ts';
import type { CommunityRole } from '../../server/contract/community.ts';
import type { Member } from '../../server/contract/members.ts';

/** Who acts in the scenario; Sam joins on the way. */
export const ROLES: Record<string, CommunityRole | null> = {
  Lena: 'leader',
  Mio: 'moderator',
  Ada: 'member',
  Ben: 'member',
  Cleo: 'member',
  Sam: null,
};
/** A Wednesday. */
export const START = new Date('2026-11-25T10:00:00.000Z');
export const SLUG = 'both-sides';

/** What answers the scenario: the server over HTTP, or the demo in memory. */
export type Side = {
  ask(who: string, asked: ScenarioCall): Promise<{ status: number; body: unknown }>;
  idOf(who: string): string;
};
/** `key`: the same for a command that is sent again. */
export type ScenarioCall = { method: string; path: string; body: unknown; key: string | null; at: Date };
/** What came of one command or read: `200`, or a status with its reason. */
export type Line = { name: string; expected: string; result: string; body: unknown };

/** What the demo cannot know, and why (docs/decisions/demo.md). */
export const KNOWN: { at: RegExp; why: string }[] = [
  { at: /\.ask\.questions\./, why: 'A member’s own order of options is drawn from secrets of the server.' },
];

const HOUR = 3_600_000;
const text = (words: string) => ({ evidence: { kind: 'submit_text', text: words } });
const right = ['a'];
const QUIZ = {
  kind: 'quiz',
  passPercent: 100,
  questions: [
    {
      id: 'q1',
      text: 'Which way is north?',
      options: [
        { id: 'a', text: 'Up on the map' },
        { id: 'b', text: 'Down on the map' },
      ],
      correct: right,
    },
  ],
};

/**
 * Plays one story with members, a moderator and a leader: tasks of several kinds, claims, reviews, an appeal, a reversal, gifts and a
 * season, and whatever is refused on the way. Reads follow the commands. Of each step it notes what was expected and what came.
 */
export async function play(side: Side): Promise<Line[]> {
  const lines: Line[] = [];
  let now = START;
  const later = (hours: number) => {
    now = new Date(now.getTime() + hours * HOUR);
  };
  const ask = async (who: string, expected: string, route: string, body?: unknown, key = `step-${lines.length}`) => {
    // Each command gets a later time than the one before, so lists ordered by time have one order.
    now = new Date(now.getTime() + 1_000);
    const [method = '', rest = ''] = route.split(' ');
    const path = rest.startsWith('/api') ? rest : `/api/communities/${SLUG}${rest}`;
    const asked = { method, path, at: now, body, key: method === 'GET' ? null : key };
    const { status, body: answer } = await side.ask(who, asked);
    // biome-ignore lint/suspicious/noExplicitAny: the story looks into answers of every shape
    const given = answer as any;
    const result = status < 300 ? String(status) : `${status} ${given?.reason}`;
    lines.push({
      name: `${lines.length + 1} ${who} ${route.replace(/[0-9a-f-]{36}/, ':id')}`,
      expected,
      result,
      body: answer,
    });
    return given;
  };
  /** What the story itself can tell of an answer. */
  const expectSame = (name: string, wanted: unknown, given: unknown) =>
    lines.push({ name, expected: String(wanted), result: String(given), body: null });
  const task = (setup: object, more: object = {}) =>
    ask('Lena', '201', 'POST /tasks', {
      setup,
      title: `Task ${lines.length + 1}`,
      instructions: 'As the sign at the gate says.',
      points: 20,
      recurrence: 'once',
      ...more,
    });
  const claim = (who: string, expected: string, { id }: { id: string }, body: object = {}, key?: string) =>
    ask(who, expected, `POST /tasks/${id}/claims`, body, key);
  const decide = (who: string, expected: string, { id }: { id: string }, body: object) =>
    ask(who, expected, `POST /claims/${id}/decision`, body);
  const appeal = (who: string, expected: string, { id }: { id: string }, words: string) =>
    ask(who, expected, `POST /claims/${id}/appeal`, { text: words });
  const boards = async () => {
    for (const period of ['today', 'week', 'all']) {
      const { top } = await ask('Ben', '200', `GET /leaderboard?period=${period}`);
      const shared = top.map(({ points }: BoardRow) => top.findIndex((row: BoardRow) => row.points === points) + 1);
      expectSame(
        `ranks of ${period}`,
        shared,
        top.map(({ rank }: BoardRow) => rank),
      );
    }
  };
  const reads = async () => {
    for (const who of ['Ada', 'Ben', 'Lena']) await ask(who, '200', 'GET /dashboard');
    for (const who of ['Mio', 'Lena']) await ask(who, '200', 'GET /review');
    await ask('Ada', '200', 'GET /claims');
    const { items } = await ask('Ada', '200', 'GET /activity');
    for (const item of items) if (item.kind === 'badge') item.id = item.badge;
    items.sort((a: Activity, b: Activity) => b.at.localeCompare(a.at) || a.kind.localeCompare(b.kind));
    await boards();
    await ask('Ben', '200', 'GET /api/user/ledger');
    await ask('Lena', '200', 'GET /ledger');
    await ask('Lena', '200', 'GET /audit');
    await ask('Lena', '200', 'GET /tasks');
    await ask('Lena', '200', 'GET /members');
  };

  // Tasks.
  const words = await task({ kind: 'submit_text', minLength: 10 });
  const daily = await task({ kind: 'check_in' }, { points: 5, recurrence: 'daily' });
  const capped = await task({ kind: 'submit_text' }, { caps: { total: 1, member: null, coolDownMinutes: 30 } });
  const quiz = await task(QUIZ, { caps: { total: null, member: null, coolDownMinutes: 60 } });
  const after = await task(
    { kind: 'submit_text' },
    { conditions: { match: 'all', of: [{ is: 'task', taskId: quiz.id }] } },
  );
  const opens = new Date(START.getTime() + 48 * HOUR).toISOString();
  const soon = await task({ kind: 'check_in' }, { schedule: { opensAt: opens, closesAt: null, window: null } });
  const nights = await task(
    { kind: 'check_in' },
    {
      schedule: {
        opensAt: null,
        closesAt: null,
        window: { days: [1, 2, 3, 4, 5, 6, 7], from: '20:00', until: '23:00' },
      },
    },
  );
  const twice = await task(
    { kind: 'check_in' },
    { recurrence: 'daily', caps: { total: null, member: 1, coolDownMinutes: 0 } },
  );
  const gift = await task(
    { kind: 'manual' },
    { recurrence: 'weekly', caps: { total: 1, member: null, coolDownMinutes: 0 } },
  );
  const draft = await task({ kind: 'check_in' }, { status: 'draft' });
  const poll = await task({
    kind: 'poll',
    choices: [
      { id: 'x', text: 'Hills' },
      { id: 'y', text: 'Lakes' },
    ],
    multiple: false,
  });
  const link = await task({ kind: 'submit_url', hosts: ['example.org'] });
  await ask('Ada', '403 NOT_ALLOWED', 'POST /tasks', {
    setup: { kind: 'check_in' },
    title: 'Not mine to add',
    instructions: '',
    points: 5,
    recurrence: 'once',
  });
  await reads();

  // Claims that count at once, and those that may not be made.
  await claim('Ada', '201', daily, {}, 'one-key');
  await claim('Ada', '201', daily, {}, 'one-key');
  await claim('Ada', '409 ALREADY_CLAIMED', daily);
  await claim('Lena', '403 LEADERS_DO_NOT_COMPETE', daily);
  await claim('Sam', '403 NOT_A_MEMBER', daily);
  await claim('Ada', '404 NOT_FOUND', { id: '0190f2a0-0000-7000-8000-000000000000' });
  await claim('Ada', '404 NOT_FOUND', draft);
  await ask('Ada', '404 NOT_FOUND', `GET /tasks/${draft.id}`);
  await ask('Mio', '200', `GET /tasks/${draft.id}`);
  await claim('Mio', '404 NOT_FOUND', draft);
  await claim('Ada', '409 NOT_OPEN_YET', soon);
  await claim('Ada', '409 NOT_OPEN_YET', nights);
  await claim('Ada', '409 CONDITIONS_NOT_MET', after, text('I know the way.'));
  await claim('Ada', '409 ONLY_GRANTED', gift);
  await claim('Ben', '201', twice, { actedAt: new Date(now.getTime() - 30 * HOUR).toISOString() });
  await claim('Ada', '422 EVIDENCE_REQUIRED', words);
  await claim('Ada', '422 EVIDENCE_TOO_SHORT', words, text('Short.'));
  await claim('Ada', '422 EVIDENCE_NOT_WANTED', words, { evidence: { kind: 'check_in' } });
  await claim('Ada', '422 URL_NOT_ALLOWED', link, { evidence: { kind: 'submit_url', url: 'https://example.net/a' } });
  await claim('Ada', '201', link, { evidence: { kind: 'submit_url', url: 'https://example.org/a', note: 'Here.' } });
  await claim('Cleo', '201', link, { evidence: { kind: 'submit_url', url: 'https://example.org/a' } });
  await claim('Ada', '201', poll, { evidence: { kind: 'poll', optionIds: ['x'] } });
  await ask('Ada', '200', `GET /tasks/${poll.id}/poll`);
  await ask('Ben', '200', `GET /tasks/${poll.id}/poll`);
  const answers = (id: string, tookMs = 60_000) => ({
    evidence: {
      kind: 'quiz',
      startedAt: new Date(now.getTime() - tookMs).toISOString(),
      tookMs,
      answers: [{ questionId: 'q1', optionIds: [id] }],
    },
  });
  await claim('Ada', '201', quiz, answers('b'));
  await claim('Ada', '409 COOLING_DOWN', quiz, answers('a'));
  later(2);
  await claim('Ada', '201', quiz, answers('a'));
  await ask('Ada', '200', `GET /tasks/${quiz.id}`);
  const hasty = await claim('Ben', '201', quiz, answers('a', 100));

  // Reviews.
  const first = await claim('Ada', '201', words, text('A walk along the mill stream.'));
  const second = await claim('Ben', '201', words, text('The common has a new bench by the oak.'));
  await claim('Cleo', '201', words, text('A walk along the mill stream.'));
  await ask('Mio', '200', `GET /claims/${first.id}/similar`);
  await claim('Ada', '409 ALREADY_CLAIMED', words, text('Another walk along the mill stream.'));
  await decide('Mio', '422 REASON_REQUIRED', first, { decision: 'reject' });
  await decide('Ada', '403 NOT_ALLOWED', second, { decision: 'approve' });
  await decide('Mio', '404 NOT_FOUND', { id: '0190f2a0-0000-7000-8000-000000000001' }, { decision: 'approve' });
  await decide('Mio', '200', first, { decision: 'request_changes', reason: 'Which stream?' });
  await decide('Mio', '409 ALREADY_DECIDED', first, {
    decision: 'request_changes',
    reason: 'Which stream?',
    version: 2,
  });
  const again = { evidence: { kind: 'submit_text', text: 'A walk along the mill stream, from the weir.' } };
  await ask('Ben', '404 NOT_FOUND', `POST /claims/${first.id}/resubmission`, again);
  later(1);
  await ask('Ada', '200', `POST /claims/${first.id}/resubmission`, again);
  await ask('Ada', '409 ALREADY_DECIDED', `POST /claims/${first.id}/resubmission`, again);
  await decide('Mio', '409 CLAIM_CHANGED', first, { decision: 'approve' });
  await decide('Mio', '200', first, { decision: 'approve', version: 3 });
  await decide('Lena', '409 ALREADY_DECIDED', first, { decision: 'reject', reason: 'Too late.', version: 3 });
  const mios = await claim('Mio', '201', words, text('The footbridge is closed until spring.'));
  await decide('Mio', '403 OWN_CLAIM', mios, { decision: 'approve' });
  await ask('Lena', '200', `GET /claims/${mios.id}`);
  await ask('Ben', '404 NOT_FOUND', `GET /claims/${mios.id}`);
  await reads();
  for (const who of ['Ben', 'Mio', 'Lena']) await ask(who, '200', `GET /claims/${hasty.id}`);
  // What the task would count at once goes back to the reviewer who asked for it.
  await decide('Mio', '200', hasty, { decision: 'request_changes', reason: 'Take your time.' });
  const slower = await ask('Ben', '200', `POST /claims/${hasty.id}/resubmission`, answers('a'));
  expectSame('state of the changed answer', 'submitted', slower.state);
  await decide('Mio', '200', hasty, { decision: 'approve', version: 3 });

  // Appeals.
  await decide('Mio', '200', second, { decision: 'reject', reason: 'The bench is old.' });
  await appeal('Ada', '409 ALREADY_DECIDED', first, 'It was fine.');
  await appeal('Ben', '200', second, 'It is new since Sunday.');
  await appeal('Ben', '409 APPEAL_USED', second, 'It is new since Monday.');
  await decide('Mio', '403 OWN_DECISION', second, { decision: 'approve', version: 3 });
  await decide('Lena', '409 CLAIM_CHANGED', second, { decision: 'approve' });
  await decide('Lena', '422 NOT_FOR_APPEALS', second, { decision: 'request_changes', reason: 'Hm.', version: 3 });
  await ask('Lena', '200', 'GET /review?only=appeals');
  await decide('Lena', '200', second, { decision: 'approve', version: 3 });
  await ask('Ben', '200', `GET /claims/${second.id}`);
  const lost = await claim('Ben', '201', capped, text('The first for the only place.'));
  await decide('Mio', '200', lost, { decision: 'reject', reason: 'No.' });
  await claim('Ben', '409 COOLING_DOWN', capped, text('Once more.'));
  await appeal('Ben', '200', lost, 'It was the first.');
  const taken = await claim('Cleo', '201', capped, text('The second for the only place.'));
  await claim('Ada', '409 CAP_REACHED', capped, text('The third for the only place.'));
  await decide('Lena', '409 CAP_REACHED', lost, { decision: 'approve', version: 3 });
  later(1);
  await ask('Mio', '200', 'POST /decisions', {
    decisions: [
      { claimId: taken.id, decision: 'reject', reason: 'Nor this.' },
      { claimId: lost.id, decision: 'approve', version: 3 },
      { claimId: mios.id, decision: 'approve' },
      { claimId: first.id, decision: 'approve', version: 3 },
    ],
  });
  await claim('Ben', '201', capped, text('The fourth for the only place.'));
  await ask('Ben', '200', `GET /claims/${lost.id}`);
  await appeal('Cleo', '200', taken, 'But why is it not enough?');
  await decide('Lena', '200', taken, { decision: 'reject', reason: 'It is as it was.', version: 3 });
  later(24);
  await claim('Ben', '409 CAP_REACHED', twice);
  const late = await claim('Cleo', '201', quiz, answers('b'));
  later(24 * 15);
  await appeal('Cleo', '409 APPEAL_TOO_LATE', late, 'The map was upside down.');
  await claim('Cleo', '201', quiz, answers('a'));
  await appeal('Cleo', '409 ANSWERED_AGAIN', late, 'The map was upside down.');
  await reads();

  // Reversals and gifts.
  await ask('Mio', '403 NOT_ALLOWED', `POST /claims/${first.id}/reversal`, { reason: 'A copy.' });
  await ask('Lena', '200', `POST /claims/${first.id}/reversal`, { reason: 'A copy.' });
  await ask('Lena', '409 ALREADY_DECIDED', `POST /claims/${first.id}/reversal`, { reason: 'A copy.' });
  for (const { id } of [first, late, second, lost]) await ask('Lena', '200', `GET /claims/${id}`);
  await claim('Ada', '409 ALREADY_CLAIMED', words, text('The way along the canal is open.'));
  const give = (who: string) => ({ userId: side.idOf(who), reason: 'For the tea.' });
  await ask('Lena', '409 NOT_MANUAL', `POST /tasks/${daily.id}/grants`, give('Ada'));
  await ask('Lena', '403 LEADERS_DO_NOT_COMPETE', `POST /tasks/${gift.id}/grants`, give('Lena'));
  await ask('Lena', '404 NOT_FOUND', `POST /tasks/${gift.id}/grants`, give('Sam'));
  await ask('Lena', '201', `POST /tasks/${gift.id}/grants`, give('Ada'));
  await ask('Lena', '409 ALREADY_CLAIMED', `POST /tasks/${gift.id}/grants`, give('Ada'));
  await ask('Lena', '409 CAP_REACHED', `POST /tasks/${gift.id}/grants`, give('Ben'));
  await ask('Lena', '403 LEADERS_DO_NOT_COMPETE', 'POST /adjustments', { ...give('Lena'), points: 5 });
  const { items: members } = await ask('Lena', '200', 'GET /members');
  const pointsOf = (who: string) => members.find((one: Member) => one.id === side.idOf(who)).points;
  await ask('Lena', '201', 'POST /adjustments', { ...give('Ben'), points: pointsOf('Ada') - pointsOf('Ben') });
  await boards();
  await ask('Mio', '200', `GET /members/${side.idOf('Ben')}/record`);

  // Tasks that change under claims, boards and roles.
  await ask('Lena', '409 TASK_LOCKED', `PATCH /tasks/${words.id}`, { points: 30 });
  await ask('Lena', '422 KIND_FIXED', `PATCH /tasks/${words.id}`, { setup: { kind: 'check_in' } });
  await ask('Lena', '200', `PATCH /tasks/${words.id}`, { title: 'Words about a walk' });
  await ask('Lena', '200', `PATCH /tasks/${draft.id}`, { status: 'live' });
  await ask('Lena', '201', `POST /tasks/${words.id}/copies`);
  await ask('Lena', '200', `PATCH /tasks/${daily.id}`, { status: 'archived' });
  await claim('Ada', '409 TASK_CLOSED', daily);
  await ask('Ada', '409 NO_SEASON', 'GET /leaderboard?period=season');
  await ask('Lena', '409 LAST_LEADER', 'POST /leave');
  await ask('Lena', '409 LAST_LEADER', `PUT /members/${side.idOf('Lena')}/role`, { role: 'member' });
  await ask('Lena', '200', `PUT /members/${side.idOf('Ben')}/role`, { role: 'moderator' });
  await ask('Sam', '200', 'POST /join');
  const lastNight = { actedAt: new Date(now.getTime() - 17 * HOUR).toISOString() };
  await claim('Sam', '409 NOT_OPEN_YET', nights, lastNight);
  await claim('Ada', '201', nights, lastNight);
  await ask('Lena', '200', `POST /members/${side.idOf('Cleo')}/removal`, { reason: 'Moved away.' });
  await ask('Cleo', '403 NOT_A_MEMBER', 'GET /dashboard');
  await reads();
  await ask('Lena', '200', 'PUT /board', { state: 'hidden' });
  await ask('Ben', '200', 'GET /leaderboard');
  await ask('Lena', '200', 'GET /leaderboard');
  await ask('Lena', '200', 'PUT /board', { state: 'open' });
  return lines;
}
