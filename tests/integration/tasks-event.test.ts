import { describe, expect, it } from 'vitest';
import type { HttpError } from '../../server/base/http-error.ts';
import type { Evidence } from '../../server/contract/claims.ts';
import { readTask, readTasks } from '../../server/features/claims/task-with-claim.ts';
import { readTrust } from '../../server/features/rewards/trust.ts';
import { readEventKey } from '../../server/features/tasks/event-keys.ts';
import { makeCode, readSigner } from '../../server/rules/event-code.ts';
import { refusal } from '../support/engagement.ts';
import { DAY, later, MINUTE, NOON, openTaskStage } from '../support/task-stage.ts';

const { db, on, place, member, claim, awards } = await openTaskStage();

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
      ).toMatchObject({ state: 'rejected' });
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
      expect(await refusal(claim(task, scan(code), ago(DAY)))).toMatchObject({ status: 422, reason: 'CODE_WRONG' });
      expect(await claim(task, scan(code), ago(5 * MINUTE))).toMatchObject({ state: 'approved', period: '2026-11-21' });
    },
  );

  it('refuses codes of another event, another moment, or nobody’s, and says why', async () => {
    const [task, other] = [await on.task(place, { setup }), await on.task(place, { setup })];
    const [mine, theirs] = [await steward(task), await steward(other)];
    for (const [code, reason] of [
      [(await theirs(NOON)).qr, 'This code does not belong to this event'],
      [(await theirs(NOON)).typed, 'This code does not belong to this event'],
      [(await mine(later(5 * MINUTE))).qr, 'This code has run out: scan the one that is shown now'],
      [(await mine(later(-5 * MINUTE))).typed, 'This code has run out: scan the one that is shown now'],
      ['ABCDE-FGHJK', 'This code does not belong to this event'],
      ['M1.nothing.1.x', 'This code does not belong to this event'],
    ] as const) {
      expect(await refusal(claim(task, scan(code))), code).toMatchObject({
        status: 422,
        reason: 'CODE_WRONG',
        message: `${reason}.`,
        details: { field: 'code' },
      });
    }
    expect(await awards(task)).toEqual([]);
  });

  it('that was mistyped leaves nothing behind: no claim, no wait, no word in the record', async () => {
    const task = await on.task(place, { setup, caps: { coolDownMinutes: 30 } });
    const by = await on.member(place.id);
    const before = await readTrust(db.sql, place.id, by, NOON);
    for (let time = 0; time < 5; time += 1)
      expect(await refusal(claim(task, scan('ABCDE-12345'), { by }))).toMatchObject({ reason: 'CODE_WRONG' });
    expect(await db.sql`select from claims where user_id = ${by}`).toEqual([]);
    expect(await readTrust(db.sql, place.id, by, NOON)).toEqual(before);
    const { qr } = await (await steward(task))(NOON);
    expect(await claim(task, scan(qr), { by })).toMatchObject({ state: 'approved' });
  });

  it('that could not be read any more when it arrived is a claim, with an appeal', async () => {
    const task = await on.task(place, { setup });
    const end = new Date(Date.parse(setup.endsAt) + MINUTE);
    expect(await claim(task, scan('ABCDE-12345'), { now: end })).toMatchObject({ state: 'rejected', decidedBy: null });
  });

  it('refuses codes from before its beginning and after its end', async () => {
    const early = await on.task(place, { setup: { ...setup, startsAt: later(10 * MINUTE).toISOString() } });
    const late = await on.task(place, { setup: { ...setup, endsAt: later(-10 * MINUTE).toISOString() } });
    for (const task of [early, late]) {
      const code = scan((await (await steward(task))(NOON)).qr);
      const reason = 'This code is from before or after the event';
      if (task === early) expect(await refusal(claim(task, code))).toMatchObject({ message: `${reason}.` });
      else expect(await claim(task, code)).toMatchObject({ state: 'rejected', decidedBy: null, reason });
    }
    // To the minute: the first code is that of the beginning, the last one that of the minute before the end.
    const [first, last, before] = [
      await on.task(place, { setup: { ...setup, startsAt: NOON.toISOString() } }),
      await on.task(place, { setup: { ...setup, endsAt: NOON.toISOString() } }),
      await on.task(place, { setup: { ...setup, endsAt: NOON.toISOString() } }),
    ];
    for (const [task, offset, state] of [
      [first, -1, 'CODE_WRONG'],
      [first, 0, 'approved'],
      [last, 0, 'rejected'],
      [before, -1, 'approved'],
    ] as const) {
      const { qr } = await (await steward(task))(later(offset * MINUTE));
      const result = await claim(task, scan(qr)).catch(({ reason }: HttpError) => ({ state: reason }));
      expect(result, `${offset} ${state}`).toMatchObject({ state });
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
