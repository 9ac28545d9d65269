import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evidence } from '../../server/contract/claims.ts';
import { makeCode, readSigner } from '../../server/contract/event-code.ts';
import type { Conditions, TaskSetup } from '../../server/contract/tasks.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { grantTask } from '../../server/features/claims/grant.ts';
import { resubmit } from '../../server/features/claims/mine.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { readSimilar } from '../../server/features/claims/review.ts';
import { previewTask, readTask, readTasks } from '../../server/features/claims/task-with-claim.ts';
import { startSeason } from '../../server/features/seasons/seasons.ts';
import { readEventKey } from '../../server/features/tasks/event-keys.ts';
import { listTasks, readPoll } from '../../server/features/tasks/read.ts';
import { changeTask, copyTask, createTask } from '../../server/features/tasks/tasks.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { mismatches, type Place, refusal, stage } from '../support/engagement.ts';
import { untilLockWaits } from '../support/lock-waits.ts';

let db: TestDatabase;
let on: ReturnType<typeof stage>;
let place: Place;
let member: string;
beforeAll(async () => {
  db = await createTestDatabase();
  on = stage(db.sql);
  place = await on.community();
  member = await on.member(place.id);
});
afterAll(() => db?.drop());

const NOON = new Date('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const later = (ms: number) => new Date(NOON.getTime() + ms);
const awards = (taskId: string) => db.sql`select points from point_events where task_id = ${taskId} order by id`;
const claim = (
  task: string,
  evidence?: Evidence,
  more: { now?: Date; actedAt?: string; by?: string; timeZone?: string } = {},
) => {
  const { by = member, ...act } = more;
  return on.claim(place, task, by, { now: NOON, ...act, ...(evidence ? { evidence } : {}) });
};

const QUIZ: Extract<TaskSetup, { kind: 'quiz' }> = {
  kind: 'quiz',
  passPercent: 60,
  questions: ['one', 'two', 'three'].map((id) => ({
    id,
    text: `Question ${id}`,
    options: [
      { id: 'a', text: 'A' },
      { id: 'b', text: 'B' },
      { id: 'c', text: 'C' },
    ],
    correct: id === 'three' ? ['a', 'c'] : ['b'],
  })),
};
const answered = (given: Record<string, string[]>, startedAt = later(-10 * MINUTE)): Evidence => ({
  kind: 'quiz',
  startedAt: startedAt.toISOString(),
  answers: Object.entries(given).map(([questionId, optionIds]) => ({ questionId, optionIds })),
});
const RIGHT = { one: ['b'], two: ['b'], three: ['c', 'a'] };

describe('a quiz', () => {
  it('is graded by the server: all of a question’s right options and no other', async () => {
    const task = await on.task(place, { setup: QUIZ, points: 30 });
    const two = await claim(task, answered({ one: ['b'], two: ['b'], three: ['a'] }));
    expect(two).toMatchObject({
      state: 'approved',
      checks: [{ what: 'answers', ok: true, note: '2 of 3 right, 2 needed' }],
    });
    expect(await awards(task)).toEqual([{ points: 30 }]);
  });

  it.each([
    ['too few', { one: ['b'] }],
    ['every option', { one: ['a', 'b', 'c'], two: ['a', 'b', 'c'], three: ['a', 'b', 'c'] }],
    ['one of two right ones twice', { one: ['b'], three: ['a', 'a'] }],
    ['questions that are not there', { four: ['b'], five: ['b'] }],
    ['nothing', {}],
  ])('is not passed with %s, says how it went, and waits the cool-down', async (_, given) => {
    const task = await on.task(place, { setup: QUIZ, caps: { coolDownMinutes: 30 } });
    const failed = await claim(task, answered(given as Record<string, string[]>));
    expect(failed).toMatchObject({ state: 'rejected', decidedBy: null, retryAt: later(30 * MINUTE).toISOString() });
    expect(failed.reason).toMatch(/^\d of 3 right, 2 needed$/);
    expect(await refusal(claim(task, answered(RIGHT), { now: later(29 * MINUTE) }))).toMatchObject({
      status: 409,
      reason: 'COOLING_DOWN',
      details: { retryAt: later(30 * MINUTE).toISOString() },
    });
    expect(await claim(task, answered(RIGHT), { now: later(30 * MINUTE) })).toMatchObject({ state: 'approved' });
    expect(await awards(task)).toHaveLength(1);
  });

  it('has no more tries because a device says they were long ago', async () => {
    const task = await on.task(place, { setup: QUIZ, recurrence: 'daily', caps: { coolDownMinutes: 60 } });
    await claim(task, answered({}), { actedAt: later(-40 * 60 * MINUTE).toISOString() });
    expect(
      await refusal(claim(task, answered(RIGHT), { actedAt: later(-10 * 60 * MINUTE).toISOString() })),
    ).toMatchObject({
      reason: 'COOLING_DOWN',
    });
  });

  it('leaves one failed try of twenty at the same moment', async () => {
    const task = await on.task(place, { setup: QUIZ, caps: { coolDownMinutes: 5 } });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => claim(task, answered({}))));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('answered faster than people read goes to a reviewer', async () => {
    const task = await on.task(place, { setup: QUIZ });
    const fast = await claim(task, answered(RIGHT, later(-4_000)));
    expect(fast).toMatchObject({
      state: 'checking',
      checks: [
        { what: 'answers', ok: true },
        { what: 'pace', ok: false },
      ],
    });
    expect(await awards(task)).toEqual([]);
    await on.approve(place, fast.id);
    expect(await awards(task)).toHaveLength(1);
    const sentBack = await on.task(place, { setup: QUIZ });
    const { id } = await claim(sentBack, answered(RIGHT, later(-4_000)));
    await db.sql.begin(async (tx) => {
      const asked = { communityId: place.id, claimId: id, now: NOON };
      await decideClaim(
        tx,
        { ...asked, reviewerId: place.moderator },
        { decision: 'request_changes', reason: 'Slower' },
      );
      // Who asked for it looks at it, however right it is.
      const again = await resubmit(tx, { ...asked, userId: member }, { evidence: answered(RIGHT) });
      expect(again).toMatchObject({ state: 'submitted', decidedAt: null });
    });
    expect(await awards(sentBack)).toEqual([]);
    const future = await on.task(place, { setup: QUIZ });
    expect(await claim(future, answered(RIGHT, later(DAY)))).toMatchObject({ state: 'checking' });
  });

  it('is not called fast because the device’s clock is ahead, or was put right meanwhile', async () => {
    const ahead = { ...answered(RIGHT, later(DAY)), tookMs: 5_000 } as Evidence;
    const first = await on.task(place, { setup: QUIZ });
    expect(await claim(first, ahead)).toMatchObject({ state: 'approved', checks: [{ what: 'answers' }] });
    const again = await on.task(place, { setup: QUIZ });
    expect(await claim(again, ahead, { actedAt: NOON.toISOString() })).toMatchObject({ state: 'approved' });
    const fast = await on.task(place, { setup: QUIZ });
    expect(await claim(fast, { ...ahead, tookMs: 4_000 } as Evidence)).toMatchObject({ state: 'checking' });
  });

  it('comes in an order of each member’s own, without its answers', async () => {
    const task = await on.task(place, { setup: QUIZ });
    const ask = async (userId: string) =>
      (await readTask(db.sql, { communityId: place.id, userId, timeZone: 'UTC', role: 'member', now: NOON }, task)).ask;
    const orders = new Set<string>();
    for (let count = 0; count < 12; count += 1) orders.add(JSON.stringify(await ask(await on.member(place.id))));
    expect(orders.size).toBeGreaterThan(3);
    const mine = await ask(member);
    expect(mine).toEqual(await ask(member));
    expect(JSON.stringify(mine)).not.toContain('correct');
    expect(mine).toMatchObject({ kind: 'quiz', passPercent: 60 });
    if (mine.kind === 'quiz') {
      expect(mine.questions.map(({ id, multiple }) => [id, multiple]).sort()).toEqual([
        ['one', false],
        ['three', true],
        ['two', false],
      ]);
    }
  });
});

describe('other kinds', () => {
  it('refuse what they did not ask for, and the lack of what they did', async () => {
    for (const kind of [
      'visit_link',
      'quiz',
      'submit_text',
      'submit_url',
      'submit_image',
      'poll',
      'telegram_event',
    ] as const) {
      const setups: Partial<Record<typeof kind, TaskSetup>> = {
        quiz: QUIZ,
        visit_link: { kind: 'visit_link', url: 'https://example.org/' },
      };
      const task = await on.task(place, setups[kind] ? { setup: setups[kind] } : { kind });
      expect(await refusal(claim(task)), kind).toMatchObject({ status: 422, reason: 'EVIDENCE_REQUIRED' });
      expect(await refusal(claim(task, { kind: 'check_in' })), kind).toMatchObject({
        status: 422,
        reason: 'EVIDENCE_NOT_WANTED',
      });
      expect(await awards(task)).toEqual([]);
    }
  });

  it('visit_link counts at once', async () => {
    const task = await on.task(place, { setup: { kind: 'visit_link', url: 'https://example.org/' } });
    const done = await claim(task, { kind: 'visit_link', openedAt: later(-MINUTE).toISOString() });
    expect(done).toMatchObject({
      state: 'approved',
      evidence: { kind: 'visit_link' },
      checks: [{ what: 'link', ok: null }],
    });
    expect(await awards(task)).toHaveLength(1);
  });

  it('submit_text holds to its least length and marks what somebody else sent', async () => {
    const task = await on.task(place, { setup: { kind: 'submit_text', minLength: 10 } });
    for (const text of ['short', `short${'\u200b'.repeat(9)}`, `sho${'\u0301'.repeat(9)}rt`, `sh${' '.repeat(9)}ort`]) {
      expect(await refusal(claim(task, { kind: 'submit_text', text })), JSON.stringify(text)).toMatchObject({
        status: 422,
        reason: 'EVIDENCE_TOO_SHORT',
        details: { minLength: 10 },
      });
    }
    expect(await claim(task, { kind: 'submit_text', text: 'We walked up.' })).toMatchObject({
      state: 'submitted',
      checks: [],
    });
    const copy = await claim(task, { kind: 'submit_text', text: 'WE  walked up!' }, { by: await on.member(place.id) });
    expect(copy).toMatchObject({ state: 'checking', checks: [{ what: 'likeness', ok: false }] });
  });

  it('submit_url takes links of the web, of its hosts only', async () => {
    const task = await on.task(place, { setup: { kind: 'submit_url', hosts: ['example.org'] } });
    for (const url of [
      'javascript:alert(1)//example.org',
      'data:text/html,hello',
      'https://example.org.evil.net/',
      'https://evilexample.org/',
      'https://user:pass@example.org/',
      'https://example.org@evil.net/',
      'ftp://example.org/file',
      'not a link at all',
      'https://localhost/x',
    ]) {
      expect(await refusal(claim(task, { kind: 'submit_url', url })), url).toMatchObject({
        status: 422,
        reason: 'URL_NOT_ALLOWED',
        details: { hosts: ['example.org'] },
      });
    }
    const sent = await claim(task, { kind: 'submit_url', url: 'https://WWW.Example.org/a b#top', note: 'mine' });
    expect(sent).toMatchObject({
      state: 'submitted',
      evidence: { url: 'https://www.example.org/a%20b', note: 'mine' },
    });
  });

  it('submit_url takes names in any script, however host and link are written', async () => {
    const editor = { communityId: place.id, userId: place.leader, now: NOON };
    const create = (...hosts: string[]) =>
      db.sql.begin((tx) =>
        createTask(tx, editor, {
          setup: { kind: 'submit_url', hosts },
          title: 'Your page',
          instructions: '',
          points: 5,
          recurrence: 'daily',
        }),
      );
    for (const host of ['a.example/path', 'a.example:8', 'me@a.example', 'a.example?', 'a example', 'bücher', '..'])
      expect(await refusal(create(host)), host).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
    const { id } = await create('Bücher.example', 'xn--bcher-kva.example', '例え。テスト');
    const shown = await readTask(
      db.sql,
      { communityId: place.id, userId: member, timeZone: 'UTC', role: 'member', now: NOON },
      id,
    );
    expect(shown.ask).toMatchObject({ hosts: ['xn--bcher-kva.example', 'xn--r8jz45g.xn--zckzah'] });
    const send = (url: string) => on.member(place.id).then((by) => claim(id, { kind: 'submit_url', url }, { by }));
    for (const url of ['https://bücher.example/', 'https://WWW.BÜCHER.example/a', 'https://xn--bcher-kva.example/b'])
      expect(await send(url), url).toMatchObject({ state: 'submitted', evidence: { url: new URL(url).href } });
    // Its e and x are Cyrillic.
    expect(await refusal(send('https://bücher.ехample/'))).toMatchObject({ reason: 'URL_NOT_ALLOWED' });
  });

  it('submit_url keeps a fragment that is the page’s own address, and tells two of them apart', async () => {
    const task = await on.task(place, { setup: { kind: 'submit_url', hosts: [] } });
    for (const fragment of ['#@ridge', '#-1002', '#/room/1', '#!/room/2', '#1002']) {
      const url = `https://web.telegram.org/k/${fragment}`;
      const sent = await claim(task, { kind: 'submit_url', url }, { by: await on.member(place.id) });
      expect(sent, fragment).toMatchObject({ state: 'submitted', evidence: { url } });
    }
    const same = { kind: 'submit_url', url: 'https://web.telegram.org/k/#@ridge' } as const;
    expect(await claim(task, same)).toMatchObject({ state: 'checking' });
  });

  it('submit_image shows a picture of the member’s own, and marks one that somebody else sent', async () => {
    const task = await on.task(place, { kind: 'submit_image' });
    const image = async (owner: string, bytes: string) => {
      const [row] = await db.sql<[{ id: string }]>`
        insert into images (id, community_id, user_id, type, width, height, sha256, bytes)
        values (gen_random_uuid(), ${place.id}, ${owner}, 'image/webp', 1, 1, sha256(${bytes}::bytea), ${bytes}::bytea) returning id`;
      return row.id;
    };
    const other = await on.member(place.id);
    const [mine, theirs] = [await image(member, 'the same'), await image(other, 'the same')];
    for (const imageId of [theirs, crypto.randomUUID()]) {
      expect(await refusal(claim(task, { kind: 'submit_image', imageId }))).toMatchObject({
        status: 422,
        reason: 'IMAGE_INVALID',
      });
    }
    const first = await claim(task, { kind: 'submit_image', imageId: mine });
    expect(first).toMatchObject({ state: 'submitted' });
    expect(await db.sql`select claim_id as id from images where id = ${mine}`).toEqual([{ id: first.id }]);
    expect(await claim(task, { kind: 'submit_image', imageId: theirs }, { by: other })).toMatchObject({
      state: 'checking',
      checks: [{ what: 'likeness', ok: false, note: 'Somebody else sent the same' }],
    });
    // The same file chosen once more is another picture of the same bytes.
    const elsewhere = await on.task(place, { kind: 'submit_image' });
    const again = await claim(elsewhere, { kind: 'submit_image', imageId: await image(member, 'the same') });
    expect(again).toMatchObject({
      state: 'checking',
      checks: [{ what: 'likeness', ok: false, note: 'The same member sent this picture before' }],
    });
    const alike = await readSimilar(db.sql, { communityId: place.id, claimId: again.id });
    expect(alike.map(({ claim: { id }, likeness }) => [id, likeness])).toEqual([[first.id, 1]]);
    // What was sent back is answered with the same picture, and what was turned down is sent where it belongs.
    await db.sql`update claims set state = 'rejected' where id = ${first.id}`;
    await db.sql`update claims set state = 'changes_requested' where id = ${again.id}`;
    const third = await on.task(place, { kind: 'submit_image' });
    expect(await claim(third, { kind: 'submit_image', imageId: await image(member, 'the same') })).toMatchObject({
      state: 'submitted',
      checks: [],
    });
  });

  it('poll counts one vote of its choices, and shows how it stands to who voted', async () => {
    const choices = ['yes', 'no', 'maybe'].map((id) => ({ id, text: id }));
    const task = await on.task(place, { setup: { kind: 'poll', choices, multiple: false } });
    const other = await on.member(place.id);
    const stands = (userId: string, role: 'member' | 'leader' = 'member') =>
      readPoll(db.sql, { communityId: place.id, userId, role, taskId: task });
    for (const optionIds of [['yes', 'no'], ['yes', 'yes'], ['never']]) {
      expect(await refusal(claim(task, { kind: 'poll', optionIds }))).toMatchObject({ reason: 'EVIDENCE_NOT_WANTED' });
    }
    expect(await stands(member)).toEqual({ votes: 0, counts: null });
    expect(await claim(task, { kind: 'poll', optionIds: ['yes'] })).toMatchObject({ state: 'approved' });
    const counts = [
      { optionId: 'yes', votes: 1 },
      { optionId: 'no', votes: 0 },
      { optionId: 'maybe', votes: 0 },
    ];
    expect(await stands(member)).toEqual({ votes: 1, counts });
    expect(await stands(other)).toEqual({ votes: 1, counts: null });
    expect(await stands(place.leader, 'leader')).toEqual({ votes: 1, counts });
  });

  it('invite counts who reached the threshold, and nobody twice', async () => {
    const task = await on.task(place, { setup: { kind: 'invite', needed: 2 }, recurrence: 'daily' });
    const invite = async (qualified: boolean) =>
      db.sql`insert into referrals (community_id, invitee_id, inviter_id, qualified_at)
        values (${place.id}, ${await on.person()}, ${member}, ${qualified ? NOON : null})`;
    await invite(true);
    await invite(false);
    expect(await claim(task)).toMatchObject({ state: 'rejected', reason: '1 of 2 invited people count so far' });
    await invite(true);
    await invite(true);
    expect(await claim(task)).toMatchObject({ state: 'approved' });
    expect(await claim(task, undefined, { now: later(DAY) })).toMatchObject({
      state: 'rejected',
      reason: '1 of 2 invited people count so far',
    });
    await invite(true);
    const paid = await claim(task, undefined, { now: later(DAY) });
    expect(paid).toMatchObject({ state: 'approved' });
    const takenBack = { communityId: place.id, claimId: paid.id, leaderId: place.leader, now: later(DAY) };
    await db.sql.begin((tx) => reverseClaim(tx, takenBack, { reason: 'Nobody came' }));
    expect(await claim(task, undefined, { now: later(2 * DAY) })).toMatchObject({
      state: 'rejected',
      reason: '0 of 2 invited people count so far',
    });
  });

  it('manual is given by a leader, once a period', async () => {
    const task = await on.task(place, { kind: 'manual', points: 40, caps: { total: 1 } });
    const grant = (userId: string, taskId = task) =>
      db.sql.begin((tx) =>
        grantTask(
          tx,
          { communityId: place.id, taskId, leaderId: place.leader, now: NOON },
          { userId, reason: 'Carried the tent' },
        ),
      );
    expect(await refusal(claim(task))).toMatchObject({ status: 409, reason: 'ONLY_GRANTED' });
    expect(await refusal(grant(place.leader))).toMatchObject({ status: 403, reason: 'LEADERS_DO_NOT_COMPETE' });
    expect(await refusal(grant(await on.person()))).toMatchObject({ status: 404 });
    expect(await refusal(grant(member, await on.task(place)))).toMatchObject({ status: 409, reason: 'NOT_MANUAL' });
    const given = await grant(member);
    expect(given).toMatchObject({ state: 'approved', points: 40, reason: 'Carried the tent' });
    expect(given.decidedBy).toMatch(/^Person/);
    expect(await refusal(grant(member))).toMatchObject({ status: 409, reason: 'ALREADY_CLAIMED' });
    expect(await refusal(grant(await on.member(place.id)))).toMatchObject({
      reason: 'CAP_REACHED',
      details: { cap: 'total' },
    });
    expect(await awards(task)).toEqual([{ points: 40 }]);
    expect(await db.sql`select action, reason from audit_entries where subject_id = ${given.id}`).toEqual([
      { action: 'task.granted', reason: 'Carried the tent' },
    ]);
    expect(await db.sql`select user_id, body from notifications where subject_id = ${given.id}`).toEqual([
      { user_id: member, body: 'It counts.' },
    ]);
  });
});

describe('an event', () => {
  const setup = {
    kind: 'telegram_event',
    place: 'The hut',
    startsAt: later(-60 * MINUTE).toISOString(),
    endsAt: later(60 * MINUTE).toISOString(),
  } as const;
  const steward = async (task: string) => {
    const key = await readEventKey(db.sql, { communityId: place.id, taskId: task, now: NOON });
    const signer = await readSigner(key.privateKey);
    return (at: Date) => makeCode(signer, task, at.getTime());
  };
  const scan = (code: string): Evidence => ({ kind: 'telegram_event', code });

  it.each(['qr', 'typed'] as const)('takes a %s code of its moment, and of the moments beside it', async (how) => {
    for (const offset of [-1, 0, 1]) {
      const task = await on.task(place, { setup });
      const code = (await (await steward(task))(later(offset * MINUTE)))[how];
      expect(await claim(task, scan(code)), `${offset}`).toMatchObject({
        state: 'approved',
        checks: [{ what: 'code', ok: true }],
      });
      expect(await awards(task)).toHaveLength(1);
    }
  });

  it.each(['qr', 'typed'] as const)(
    'takes a %s code that both phones had offline, when it arrives within two days',
    async (how) => {
      const task = await on.task(place, { setup });
      const code = (await (await steward(task))(NOON))[how];
      const late = { now: later(2 * DAY - MINUTE), actedAt: NOON.toISOString() };
      expect(await claim(task, scan(code), late)).toMatchObject({ state: 'approved' });
      const other = await on.task(place, { setup });
      const again = (await (await steward(other))(NOON))[how];
      expect(
        await claim(other, scan(again), { now: later(2 * DAY + MINUTE), actedAt: NOON.toISOString() }),
      ).toMatchObject({
        state: 'rejected',
      });
    },
  );

  it.each(['qr', 'typed'] as const)(
    'takes a %s code that is shown now from a phone whose clock is slow',
    async (how) => {
      const wide = { ...setup, startsAt: later(-5 * DAY).toISOString() };
      const task = await on.task(place, { setup: wide, recurrence: 'daily' });
      const code = (await (await steward(task))(NOON))[how];
      const ago = (ms: number) => ({ actedAt: later(-ms).toISOString() });
      // It opens no day but its own.
      expect(await claim(task, scan(code), ago(DAY))).toMatchObject({ state: 'rejected' });
      expect(await claim(task, scan(code), ago(5 * MINUTE))).toMatchObject({ state: 'approved', period: '2026-11-21' });
    },
  );

  it('refuses codes of another event, another moment, or nobody’s, and says why', async () => {
    const [task, other] = [await on.task(place, { setup }), await on.task(place, { setup })];
    const [mine, theirs] = [await steward(task), await steward(other)];
    for (const [code, reason] of [
      [(await theirs(NOON)).qr, 'This is not a code of this event'],
      [(await theirs(NOON)).typed, 'This is not a code of this event'],
      [(await mine(later(5 * MINUTE))).qr, 'The code is of another moment: scan the one that is shown now'],
      [(await mine(later(-5 * MINUTE))).typed, 'The code is of another moment: scan the one that is shown now'],
      ['ABCDE-FGHJK', 'This is not a code of this event'],
      ['M1.nothing.1.x', 'This is not a code of this event'],
    ] as const) {
      expect(await claim(task, scan(code)), code).toMatchObject({
        state: 'rejected',
        reason,
        checks: [{ what: 'code', ok: false }],
      });
    }
    expect(await awards(task)).toEqual([]);
  });

  it('refuses codes from before its beginning and after its end', async () => {
    const early = await on.task(place, { setup: { ...setup, startsAt: later(10 * MINUTE).toISOString() } });
    const late = await on.task(place, { setup: { ...setup, endsAt: later(-10 * MINUTE).toISOString() } });
    for (const task of [early, late]) {
      expect(await claim(task, scan((await (await steward(task))(NOON)).qr))).toMatchObject({
        state: 'rejected',
        reason: 'The code is of a moment outside the event',
      });
    }
    // To the minute: the first code is that of the beginning, the last one that of the minute before the end.
    const [first, last] = [
      await on.task(place, { setup: { ...setup, startsAt: NOON.toISOString() } }),
      await on.task(place, { setup: { ...setup, endsAt: NOON.toISOString() } }),
    ];
    for (const [task, offset, state] of [
      [first, -1, 'rejected'],
      [first, 0, 'approved'],
      [last, 0, 'rejected'],
      [last, -1, 'approved'],
    ] as const) {
      const { qr } = await (await steward(task))(later(offset * MINUTE));
      expect(await claim(task, scan(qr)), `${offset} ${state}`).toMatchObject({ state });
    }
  });

  it('is offered until its last code is over, and then only shown to who has a claim of it', async () => {
    const task = await on.task(place, { setup });
    const asker = { communityId: place.id, userId: member, timeZone: 'UTC' };
    const end = Date.parse(setup.endsAt) + MINUTE;
    const offered = async (now: Date) => ({
      gate: (await readTask(db.sql, { ...asker, role: 'member', now }, task)).gate,
      isListed: (await readTasks(db.sql, { ...asker, now })).some(({ id }) => id === task),
    });
    expect(await offered(new Date(end - 1))).toMatchObject({ gate: { open: true }, isListed: true });
    expect(await offered(new Date(end))).toMatchObject({ gate: { open: false, reason: 'closed' }, isListed: false });
    await claim(task, scan('M1.nothing.1.x'), { now: new Date(end) });
    expect(await offered(new Date(end))).toMatchObject({ gate: { open: false, reason: 'closed' }, isListed: true });
  });

  it('has one key, for who reviews, and no other task has any', async () => {
    const task = await on.task(place, { setup });
    const key = await readEventKey(db.sql, { communityId: place.id, taskId: task, now: NOON });
    expect(await readEventKey(db.sql, { communityId: place.id, taskId: task, now: NOON })).toEqual(key);
    const shown = await readTask(
      db.sql,
      { communityId: place.id, userId: member, timeZone: 'UTC', role: 'member', now: NOON },
      task,
    );
    expect(shown.ask).toMatchObject({ publicKey: key.publicKey });
    expect(JSON.stringify(shown)).not.toContain(key.privateKey);
    const elsewhere = await on.community();
    for (const [communityId, taskId] of [
      [place.id, await on.task(place)],
      [elsewhere.id, task],
      [place.id, 'no-id'],
    ] as const) {
      expect(await refusal(readEventKey(db.sql, { communityId, taskId, now: NOON }))).toMatchObject({ status: 404 });
    }
  });
});

describe('a gate', () => {
  const gate = async (task: string, userId = member, now = NOON) =>
    (await readTask(db.sql, { communityId: place.id, userId, timeZone: 'UTC', role: 'member', now }, task)).gate;

  it('keeps to opening and closing, by the time of an act that is believed', async () => {
    const task = await on.task(place, {
      schedule: { opensAt: later(-60 * MINUTE).toISOString(), closesAt: later(60 * MINUTE).toISOString() },
      recurrence: 'daily',
    });
    expect(await refusal(claim(task, undefined, { now: later(-61 * MINUTE) }))).toMatchObject({
      status: 409,
      reason: 'NOT_OPEN_YET',
      details: { opensAt: later(-60 * MINUTE).toISOString() },
    });
    expect(await refusal(claim(task, undefined, { now: later(60 * MINUTE) }))).toMatchObject({ reason: 'TASK_CLOSED' });
    const late = { now: later(47 * 60 * MINUTE), actedAt: NOON.toISOString() };
    expect(
      await refusal(claim(task, undefined, { ...late, actedAt: later(-62 * MINUTE).toISOString() })),
    ).toMatchObject({
      reason: 'TASK_CLOSED',
    });
    expect(await claim(task, undefined, late)).toMatchObject({ state: 'approved', period: '2026-11-21' });
    expect(
      await refusal(claim(task, undefined, { now: later(50 * 60 * MINUTE), actedAt: NOON.toISOString() })),
    ).toMatchObject({
      reason: 'TASK_CLOSED',
    });
  });

  it.each([
    ['opens', { opensAt: later(-2 * MINUTE).toISOString() }],
    ['has its hours', { window: { days: [6], from: '11:58', until: '13:00' } }],
  ])('lets in who comes right after it %s with a clock that is slow, once', async (_, schedule) => {
    const task = await on.task(place, { schedule, recurrence: 'daily' });
    const slow = { actedAt: later(-5 * MINUTE).toISOString() };
    expect(await claim(task, undefined, slow)).toMatchObject({ state: 'approved', period: '2026-11-21' });
    expect(await refusal(claim(task, undefined, slow))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    const yesterday = { actedAt: later(-DAY - 5 * MINUTE).toISOString() };
    expect(await refusal(claim(task, undefined, yesterday))).toMatchObject({ reason: 'ALREADY_CLAIMED' });
    expect(await awards(task)).toHaveLength(1);
    const early = on.claim(place, task, await on.member(place.id), { ...slow, now: later(-3 * MINUTE) });
    expect(await refusal(early)).toMatchObject({ reason: 'NOT_OPEN_YET' });
  });

  it('keeps to the hours of the member’s own clock', async () => {
    const task = await on.task(place, { schedule: { window: { days: [6], from: '09:00', until: '13:00' } } });
    expect(await gate(task)).toMatchObject({ open: true });
    const eastern = { timeZone: 'Asia/Tokyo' };
    expect(await refusal(claim(task, undefined, eastern))).toMatchObject({
      reason: 'NOT_OPEN_YET',
      details: { opensAt: '2026-11-28T00:00:00.000Z' },
    });
    expect(await claim(task)).toMatchObject({ state: 'approved' });
  });

  it('opens when its conditions are met, all or any, in two levels, and shows the path', async () => {
    const first = await on.task(place, { points: 200 });
    const conditions: Conditions = {
      match: 'all',
      of: [
        { is: 'task', taskId: first },
        {
          match: 'any',
          of: [
            { is: 'role', role: 'moderator' },
            { is: 'level', atLeast: 1 },
            { is: 'points', atLeast: 10_000 },
          ],
        },
        { is: 'date', from: later(-DAY).toISOString(), until: null },
      ],
    };
    const task = await on.task(place, { conditions });
    const newcomer = await on.member(place.id);
    const before = await gate(task, newcomer);
    expect(before).toMatchObject({ open: false, reason: 'conditions' });
    expect(before.path.map(({ condition, met }) => [condition.is, met])).toEqual([
      ['task', false],
      ['role', false],
      ['level', false],
      ['points', false],
      ['date', true],
    ]);
    expect(before.path[0]?.title).toMatch(/^Task/);
    expect(await refusal(claim(task, undefined, { by: newcomer }))).toMatchObject({
      status: 409,
      reason: 'CONDITIONS_NOT_MET',
      details: { path: before.path },
    });
    await claim(first, undefined, { by: newcomer });
    expect(await gate(task, newcomer)).toMatchObject({ open: true, reason: null });
    expect(await claim(task, undefined, { by: newcomer })).toMatchObject({ state: 'approved' });
    expect(await refusal(claim(task, undefined, { by: place.moderator }))).toMatchObject({
      reason: 'CONDITIONS_NOT_MET',
    });
  });

  it('does not ask for a task that is over of who has not done it', async () => {
    const [first, second] = [await on.task(place), await on.task(place)];
    const asks = (match: 'all' | 'any', ...taskIds: string[]) =>
      on.task(place, {
        conditions: { match, of: taskIds.map((taskId) => ({ is: 'task', taskId })) },
        recurrence: 'daily',
      });
    const [one, both, either] = [
      await asks('all', first),
      await asks('all', first, second),
      await asks('any', first, second),
    ];
    const doer = await on.member(place.id);
    await claim(first, undefined, { by: doer });
    expect(await gate(one)).toMatchObject({ open: false, reason: 'conditions' });
    const opens = async (now?: Date) => {
      expect(await gate(one, member, now)).toMatchObject({ open: true, reason: null, path: [] });
      // What can still be done is still asked for.
      for (const task of [both, either]) {
        const shut = await gate(task, member, now);
        expect(shut).toMatchObject({ open: false, reason: 'conditions' });
        expect(shut.path.map(({ condition, met }) => [condition, met])).toEqual([
          [{ is: 'task', taskId: second }, false],
        ]);
      }
      expect(await refusal(claim(either, undefined, now ? { now } : {}))).toMatchObject({
        reason: 'CONDITIONS_NOT_MET',
        details: { path: [{ met: false }] },
      });
      expect(await claim(one, undefined, now ? { now } : {})).toMatchObject({ state: 'approved' });
      expect((await gate(either, doer, now)).path.map(({ met }) => met)).toEqual([true, false]);
      expect(await gate(either, doer, now)).toMatchObject({ open: true });
    };
    await db.sql`update tasks set closes_at = ${later(DAY)} where id = ${first}`;
    expect(await gate(one, member, later(DAY - 1))).toMatchObject({ open: false });
    await opens(later(DAY));
    await db.sql`update tasks set status = 'archived', closes_at = null where id = ${first}`;
    await opens();
    const preview = { communityId: place.id, userId: place.leader, timeZone: 'UTC', now: NOON };
    expect((await previewTask(db.sql, preview, one)).gate).toMatchObject({ open: true, path: [] });
    await db.sql`update tasks set status = 'archived' where id = ${second}`;
    for (const task of [both, either]) expect(await gate(task)).toMatchObject({ open: true, path: [] });
  });

  it('does not ask for an event that is over, nor for a task whose dates have gone by, though neither was closed', async () => {
    const [startsAt, endsAt] = [later(-DAY).toISOString(), NOON.toISOString()];
    const until = (moment: string) => ({ is: 'date', from: null, until: moment }) as const;
    const event = await on.task(place, { setup: { kind: 'telegram_event', place: '', startsAt, endsAt } });
    const dated = await on.task(place, { conditions: { match: 'all', of: [until(endsAt)] } });
    const either = await on.task(place, {
      conditions: { match: 'any', of: [until(endsAt), { match: 'all', of: [until(later(DAY).toISOString())] }] },
    });
    const behind = (taskId: string) => on.task(place, { conditions: { match: 'all', of: [{ is: 'task', taskId }] } });
    // A code of the last minute is taken until the next one is over.
    for (const [task, open] of [
      [event, later(MINUTE)],
      [dated, NOON],
      [either, later(DAY)],
    ] as const) {
      const next = await behind(task);
      const before = new Date(open.getTime() - 1);
      expect(await gate(next, member, before)).toMatchObject({
        open: false,
        reason: 'conditions',
        path: [{ met: false }],
      });
      expect(await gate(next, member, open)).toMatchObject({ open: true, reason: null, path: [] });
      expect(await claim(next, undefined, { now: open })).toMatchObject({ state: 'approved' });
    }
  });

  it('holds to the dates of its conditions, from the first moment to before the last', async () => {
    const [from, until] = [NOON.toISOString(), later(MINUTE).toISOString()];
    const task = await on.task(place, { conditions: { match: 'all', of: [{ is: 'date', from, until }] } });
    for (const [ms, open] of [
      [-1, false],
      [0, true],
      [MINUTE - 1, true],
      [MINUTE, false],
    ] as const)
      expect(await gate(task, member, later(ms)), `${ms}`).toMatchObject({ open });
  });

  it('is one, however the task’s id is written', async () => {
    const task = await on.task(place, { recurrence: 'daily', caps: { member: 1 } });
    let second: Promise<unknown> | undefined;
    await db.sql.begin(async (tx) => {
      const asked = { communityId: place.id, taskId: task, userId: member, timeZone: 'UTC', now: NOON };
      await claimTask(tx, asked, { actedAt: later(-DAY).toISOString() });
      second = refusal(claim(task.toUpperCase()));
      await untilLockWaits(db.sql, 1);
    });
    expect(await second).toMatchObject({ reason: 'CAP_REACHED', details: { cap: 'member' } });
  });

  it('closes when a member did it as often as it counts, rejected tries aside', async () => {
    const task = await on.task(place, { kind: 'submit_text', recurrence: 'daily', caps: { member: 1 } });
    const one = await claim(task, { kind: 'submit_text', text: 'one' });
    expect(await refusal(claim(task, { kind: 'submit_text', text: 'two' }, { now: later(DAY) }))).toMatchObject({
      status: 409,
      reason: 'CAP_REACHED',
      details: { cap: 'member' },
    });
    await on.reject(place, one.id, place.moderator, NOON);
    await claim(task, { kind: 'submit_text', text: 'two' }, { now: later(DAY) });
    expect(await gate(task, member, later(2 * DAY))).toMatchObject({ reason: 'member_cap' });
  });

  it('lets in as many as there are places, however many knock at once', async () => {
    const task = await on.task(place, { caps: { total: 3 } });
    const many = await Promise.all(Array.from({ length: 12 }, () => on.member(place.id)));
    const results = await Promise.allSettled(many.map((by) => claim(task, undefined, { by })));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reason: 'CAP_REACHED', details: { cap: 'total' } });
    }
    expect(await gate(task)).toMatchObject({ open: false, reason: 'cap' });
    expect(await awards(task)).toHaveLength(3);
    expect(await mismatches(db.sql, place.id)).toEqual([]);
  });

  it('is shut for leaders, and a draft is nothing to members', async () => {
    const task = await on.task(place);
    expect(await gate(task, place.leader)).toMatchObject({ open: false, reason: 'leader' });
    await db.sql`update tasks set status = 'draft' where id = ${task}`;
    expect(await refusal(gate(task))).toMatchObject({ status: 404 });
    expect(await refusal(claim(task))).toMatchObject({ status: 404 });
    const preview = await previewTask(
      db.sql,
      { communityId: place.id, userId: place.leader, timeZone: 'UTC', now: NOON },
      task,
    );
    expect(preview.gate).toMatchObject({ open: true });
  });
});

describe('the editor', () => {
  const NEW = { title: 'Say hello', instructions: '', points: 5, recurrence: 'once' } as const;
  const editor = () => ({ communityId: place.id, userId: place.leader, now: NOON });
  const create = (setup: TaskSetup, more: object = {}) =>
    db.sql.begin((tx) => createTask(tx, editor(), { setup, ...NEW, ...more }));
  const change = (taskId: string, input: object) =>
    db.sql.begin((tx) => changeTask(tx, { ...editor(), taskId }, input));

  it.each<[string, TaskSetup, number, string]>([
    [
      'a quiz whose answer is no option',
      { ...QUIZ, questions: [{ ...QUIZ.questions[0]!, correct: ['z'] }] },
      400,
      'INVALID_INPUT',
    ],
    [
      'a quiz with two questions of one id',
      { ...QUIZ, questions: [QUIZ.questions[0]!, QUIZ.questions[0]!] },
      400,
      'INVALID_INPUT',
    ],
    [
      'a poll with two choices of one id',
      {
        kind: 'poll',
        multiple: false,
        choices: [
          { id: 'a', text: 'A' },
          { id: 'a', text: 'B' },
        ],
      },
      400,
      'INVALID_INPUT',
    ],
    ['a link that is code', { kind: 'visit_link', url: 'javascript:alert(1)' }, 422, 'URL_NOT_ALLOWED'],
    ['a host that is none', { kind: 'submit_url', hosts: ['https://example.org/'] }, 400, 'INVALID_INPUT'],
    [
      'an event that ends before it begins',
      { kind: 'telegram_event', place: '', startsAt: '2026-12-02T00:00:00Z', endsAt: '2026-12-01T00:00:00Z' },
      400,
      'INVALID_INPUT',
    ],
    [
      'an event in the far future',
      { kind: 'telegram_event', place: '', startsAt: '9998-12-02T00:00:00Z', endsAt: '9999-12-01T00:00:00Z' },
      422,
      'DATE_OUT_OF_RANGE',
    ],
    [
      'an event in the far past',
      { kind: 'telegram_event', place: '', startsAt: '0001-01-01T00:00:00Z', endsAt: '0002-01-01T00:00:00Z' },
      422,
      'DATE_OUT_OF_RANGE',
    ],
  ])('refuses %s', async (_, setup, status, reason) => {
    expect(await refusal(create(setup))).toMatchObject({ status, reason });
  });

  it('refuses far dates and conditions that nobody could meet', async () => {
    const checkIn = { kind: 'check_in' } as const;
    const window = null;
    for (const [schedule, reason] of [
      [{ opensAt: '9999-12-31T23:59:59Z', closesAt: null, window }, 'DATE_OUT_OF_RANGE'],
      [{ opensAt: null, closesAt: '1970-01-01T00:00:00Z', window }, 'DATE_OUT_OF_RANGE'],
      [{ opensAt: later(DAY).toISOString(), closesAt: NOON.toISOString(), window }, 'INVALID_INPUT'],
    ] as const) {
      expect(await refusal(create(checkIn, { schedule }))).toMatchObject({ reason });
    }
    const needs = (taskId: string) => ({ match: 'all', of: [{ is: 'task', taskId }] });
    const elsewhere = await on.task(await on.community());
    expect(await refusal(create(checkIn, { conditions: needs(elsewhere) }))).toMatchObject({
      status: 422,
      reason: 'CONDITION_UNKNOWN_TASK',
    });
    const date = { is: 'date', from: '0001-01-01T00:00:00Z', until: null };
    expect(await refusal(create(checkIn, { conditions: { match: 'all', of: [date] } }))).toMatchObject({
      reason: 'DATE_OUT_OF_RANGE',
    });
    for (const ahead of [0, -DAY]) {
      const never = { is: 'date', from: NOON.toISOString(), until: later(ahead).toISOString() };
      expect(await refusal(create(checkIn, { conditions: { match: 'any', of: [never] } }))).toMatchObject({
        status: 400,
        reason: 'INVALID_INPUT',
      });
    }
    const one = await create(checkIn);
    const two = await create(checkIn, { conditions: needs(one.id) });
    const three = await create(checkIn, { conditions: needs(two.id) });
    for (const task of [one, two, three]) {
      expect(await refusal(change(one.id, { conditions: needs(task.id) }))).toMatchObject({
        status: 422,
        reason: 'CONDITIONS_CIRCLE',
      });
    }
  });

  it('holds fast what claims were made for, and what a live season runs by', async () => {
    const task = await create({ kind: 'submit_text' });
    expect(
      await change(task.id, { points: 6, recurrence: 'daily', setup: { kind: 'submit_text', minLength: 3 } }),
    ).toMatchObject({
      points: 6,
      recurrence: 'daily',
    });
    expect(await refusal(change(task.id, { setup: { kind: 'check_in' } }))).toMatchObject({
      status: 422,
      reason: 'KIND_FIXED',
    });
    await claim(task.id, { kind: 'submit_text', text: 'my words' });
    for (const input of [{ points: 7 }, { recurrence: 'once' }, { setup: { kind: 'submit_text' } }]) {
      expect(await refusal(change(task.id, input))).toMatchObject({
        status: 409,
        reason: 'TASK_LOCKED',
        details: { by: 'claims' },
      });
    }
    expect(
      await change(task.id, { points: 6, title: 'Other words', caps: { total: 5, member: 1, coolDownMinutes: 3 } }),
    ).toMatchObject({
      title: 'Other words',
      caps: { total: 5, member: 1, coolDownMinutes: 3 },
    });
    const other = await create({ kind: 'check_in' });
    const [season] = await db.sql<[{ id: string }]>`
      insert into seasons (community_id, name, ends_at, started_at, task_ids, created_by)
      values (${place.id}, 'Spring', ${later(DAY)}, ${NOON}, ${[other.id]}, ${place.leader}) returning id`;
    expect(await refusal(change(other.id, { points: 9 }))).toMatchObject({
      reason: 'TASK_LOCKED',
      details: { by: 'season', season: 'Spring' },
    });
    const listed = await listTasks(db.sql, {
      communityId: place.id,
      role: 'leader',
      now: NOON,
      after: undefined,
      status: 'live',
    });
    expect(listed.items.find(({ id }) => id === other.id)?.lockedBy).toBe('Spring');
    expect(listed.items.find(({ id }) => id === task.id)).toMatchObject({
      lockedBy: null,
      claims: { waiting: 1 },
      setup: { kind: 'submit_text' },
    });
    await db.sql`update seasons set frozen_at = ${NOON} where id = ${season.id}`;
    expect(await change(other.id, { points: 9 })).toMatchObject({ points: 9 });
  });

  it('keeps every rule of a task while a season runs by it; its words can be mended, and it can be closed', async () => {
    const [task, draft, gone] = [
      await create({ kind: 'check_in' }, { caps: { total: 5, member: 1, coolDownMinutes: 0 } }),
      await create({ kind: 'check_in' }, { status: 'draft' }),
      await create({ kind: 'check_in' }),
    ];
    const window = { days: [1], from: '08:00', until: '09:00' };
    const [season] = await db.sql<[{ id: string }]>`
      insert into seasons (community_id, name, ends_at, started_at, created_by)
      values (${place.id}, 'Summer', ${later(DAY)}, ${NOON}, ${place.leader}) returning id`;
    const locked = { status: 409, reason: 'TASK_LOCKED', details: { by: 'season', season: 'Summer' } };
    for (const input of [
      { caps: { total: 4, member: 1, coolDownMinutes: 0 } },
      { caps: { total: 5, member: 2, coolDownMinutes: 0 } },
      { caps: { total: 5, member: 1, coolDownMinutes: 60 } },
      { schedule: { opensAt: later(DAY).toISOString(), closesAt: null, window: null } },
      { schedule: { opensAt: null, closesAt: later(DAY).toISOString(), window: null } },
      { schedule: { opensAt: null, closesAt: null, window } },
      { conditions: { match: 'all', of: [{ is: 'level', atLeast: 9 }] } },
      { status: 'draft' },
    ] as const)
      expect(await refusal(change(task.id, input)), JSON.stringify(input)).toMatchObject(locked);
    // What says the same as before changes no rule.
    const { schedule, caps, conditions } = task;
    expect(await change(task.id, { title: 'Mended', schedule, caps, conditions })).toMatchObject({ title: 'Mended' });
    expect(await change(gone.id, { status: 'archived' })).toMatchObject({ status: 'archived' });
    expect(await refusal(change(gone.id, { status: 'draft' }))).toMatchObject(locked);
    expect(await refusal(change(gone.id, { status: 'live', points: 900 }))).toMatchObject(locked);
    expect(await change(gone.id, { status: 'live' })).toMatchObject({ status: 'live' });
    // A draft was promised to nobody where all tasks count; from when it is published on it is.
    expect(await change(draft.id, { points: 9, caps: { total: 3, member: null, coolDownMinutes: 0 } })).toMatchObject({
      points: 9,
      caps: { total: 3 },
    });
    expect(await change(draft.id, { status: 'live' })).toMatchObject({ status: 'live' });
    expect(await refusal(change(draft.id, { points: 10 }))).toMatchObject(locked);
    const [named] = await db.sql<[{ ids: string[] }]>`
      update seasons set task_ids = ${[task.id]} where id = ${season.id} returning task_ids as ids`;
    expect(named.ids).toEqual([task.id]);
    expect(await change(draft.id, { points: 10 })).toMatchObject({ points: 10 });
    await db.sql`update seasons set frozen_at = ${NOON} where id = ${season.id}`;
    expect(await change(task.id, { caps: { total: 4, member: 1, coolDownMinutes: 0 } })).toMatchObject({
      caps: { total: 4 },
    });
  });

  it('keeps to the rules of a season that starts at the same moment', async () => {
    const task = await create({ kind: 'check_in' });
    const [season] = await db.sql<[{ id: string }]>`
      insert into seasons (community_id, name, ends_at, created_by)
      values (${place.id}, 'Autumn', ${later(DAY)}, ${place.leader}) returning id`;
    let changing: Promise<unknown> = Promise.resolve();
    await db.sql.begin(async (tx) => {
      await startSeason(tx, { communityId: place.id, userId: place.leader, seasonId: season.id, now: NOON });
      changing = refusal(change(task.id, { points: 500 }));
      await untilLockWaits(db.sql, 1);
    });
    expect(await changing).toMatchObject({ reason: 'TASK_LOCKED', details: { season: 'Autumn' } });
    await db.sql`update seasons set frozen_at = ${NOON} where id = ${season.id}`;
  });

  it('notes no change where nothing was changed', async () => {
    const task = await create({ kind: 'submit_text', minLength: 3 });
    const changedAt = async () =>
      (await db.sql<[{ at: Date }]>`select changed_at as at from tasks where id = ${task.id}`)[0].at;
    await db.sql`update tasks set changed_at = ${later(-DAY)} where id = ${task.id}`;
    const { title, points, schedule, caps } = task;
    await change(task.id, { title, points, schedule, caps, setup: { kind: 'submit_text', minLength: 3 } });
    expect(await changedAt()).toEqual(later(-DAY));
    await change(task.id, { title: 'Other words' });
    expect(await changedAt()).toEqual(NOON);
  });

  it('never lets a claim slip in while what it asks for changes', async () => {
    const task = await create({ kind: 'check_in' });
    const members = await Promise.all(Array.from({ length: 8 }, () => on.member(place.id)));
    await Promise.allSettled([
      ...members.map((by) => claim(task.id, undefined, { by })),
      change(task.id, { points: 500 }),
    ]);
    const [row] = await db.sql<[{ points: number }]>`select points from tasks where id = ${task.id}`;
    const paid = await awards(task.id);
    expect(paid).toHaveLength(8);
    expect(new Set(paid.map((award) => award['points']))).toEqual(new Set([row.points]));
  });

  it('copies as a draft, and lists page by page, answers for leaders only', async () => {
    const quiz = await create(QUIZ, { schedule: { opensAt: later(DAY).toISOString(), closesAt: null, window: null } });
    expect(quiz.status).toBe('scheduled');
    const copy = await db.sql.begin((tx) => copyTask(tx, { ...editor(), taskId: quiz.id }));
    expect(copy).toEqual({ ...quiz, id: copy.id, status: 'draft' });
    const list = (role: 'leader' | 'moderator', status?: 'draft' | 'scheduled', from?: string) =>
      listTasks(db.sql, { communityId: place.id, role, now: NOON, after: from, status });
    expect((await list('leader', 'draft')).items[0]).toMatchObject({ id: copy.id, setup: QUIZ });
    expect((await list('leader', 'scheduled')).items.map(({ id }) => id)).toEqual([quiz.id]);
    expect((await list('moderator', 'draft')).items[0]).toMatchObject({ id: copy.id, setup: null });
    const seen: string[] = [];
    for (let from: string | null | undefined; from !== null; ) {
      const page = await list('leader', undefined, from);
      seen.push(...page.items.map(({ id }) => id));
      from = page.next;
    }
    const [all] = await db.sql<[{ count: number }]>`select count(*)::int from tasks where community_id = ${place.id}`;
    expect([seen.length, new Set(seen).size]).toEqual([all.count, all.count]);
    expect(await refusal(list('leader', undefined, 'rubbish'))).toMatchObject({ status: 400 });
  });
});
