import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskSetup } from '../../server/contract/tasks.ts';
import { tables } from '../../server/features/exports/tables.ts';
import { readFile, storeFile } from '../../server/features/images/files.ts';
import { sweepImages } from '../../server/features/images/images.ts';
import { readPoll } from '../../server/features/tasks/read.ts';
import { createTask } from '../../server/features/tasks/tasks.ts';
import { refusal } from '../support/engagement.ts';
import { DAY, later, MINUTE, NOON, openTaskStage } from '../support/task-stage.ts';

const { db, on, place, member, claim, awards } = await openTaskStage();

/** What the server says to an answer: the reason of its refusal, or what became of the claim. */
const said = async (task: string, evidence: Evidence, by = member) =>
  claim(task, evidence, { by }).then(
    ({ state }) => state,
    (error: { status: number; reason: string }) => `${error.status} ${error.reason}`,
  );
const nothingOf = async (task: string) =>
  expect(await db.sql`select from claims where task_id = ${task}`, 'nothing was kept').toHaveLength(0);
const add = (setup: TaskSetup) =>
  db.sql.begin((tx) =>
    createTask(
      tx,
      { communityId: place.id, userId: place.leader, now: NOON },
      { setup, title: 'A task', instructions: '', points: 5, recurrence: 'once' },
    ),
  );

const NUMBER = { kind: 'number', unit: 'km', min: 1, max: 99.5, decimals: 1, review: false } as const;

describe('number', () => {
  it('counts at once within its bounds, and waits where a reviewer is to look', async () => {
    const task = await on.task(place, { setup: NUMBER });
    for (const value of [0.9, 99.6, 1.25, -5]) {
      expect(await said(task, { kind: 'number', value }), String(value)).toBe('422 NUMBER_NOT_ALLOWED');
    }
    await nothingOf(task);
    expect(await said(task, { kind: 'number', value: 12.4 })).toBe('approved');
    expect(await awards(task)).toEqual([{ points: 5 }]);
    const reviewed = await on.task(place, { setup: { ...NUMBER, review: true } });
    expect(await said(reviewed, { kind: 'number', value: 1 })).toBe('submitted');
  });

  it('is right within its tolerance, as people count decimals, and never tells the right one', async () => {
    const expected = { value: 0.3, tolerance: 0.1 };
    const setup = { ...NUMBER, min: null, max: null, expected };
    const judged = async (value: number) => {
      const task = await on.task(place, { setup });
      const made = await claim(task, { kind: 'number', value });
      return { ...made, awards: await awards(task) };
    };
    for (const value of [0.2, 0.3, 0.4]) expect((await judged(value)).state, String(value)).toBe('approved');
    for (const value of [0.1, 0.5]) {
      const wrong = await judged(value);
      expect(wrong).toMatchObject({ state: 'rejected', awards: [], checks: [{ what: 'answers', ok: false }] });
      expect(wrong.retryAt).not.toBeNull();
      expect(wrong.reason).not.toMatch(/0\.3/);
    }
  });

  it('that nobody could answer is no setup', async () => {
    for (const wrong of [{ min: 5, max: 4 }, { expected: { value: 200, tolerance: 1 } }, { unit: 'a\u202eb' }]) {
      expect(await refusal(add({ ...NUMBER, ...wrong }))).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
    }
  });
});

describe('date', () => {
  const setup = { kind: 'date', earliest: '2026-11-01', latest: '2026-11-30', review: false } as const;
  it('counts from the earliest day to the latest, both included', async () => {
    const task = await on.task(place, { setup });
    for (const date of ['2026-10-31', '2026-12-01'])
      expect(await said(task, { kind: 'date', date })).toBe('422 DATE_NOT_ALLOWED');
    await nothingOf(task);
    expect(await said(task, { kind: 'date', date: '2026-11-30' })).toBe('approved');
    expect(await awards(task)).toHaveLength(1);
    const reviewed = await on.task(place, { setup: { ...setup, review: true } });
    expect(await said(reviewed, { kind: 'date', date: '2026-11-01' })).toBe('submitted');
    expect(await refusal(add({ ...setup, earliest: '2026-12-01' }))).toMatchObject({ reason: 'INVALID_INPUT' });
  });
});

describe('scale', () => {
  it('counts every opinion at once, and shows how they are spread to who has said theirs', async () => {
    const task = await on.task(place, { setup: { kind: 'scale', low: 'Never', high: 'Always' } });
    const others = [await on.member(place.id), await on.member(place.id)];
    const stands = (userId: string) =>
      readPoll(db.sql, { communityId: place.id, userId, role: 'member', taskId: task });
    expect(await stands(member)).toEqual({ votes: 0, counts: null });
    expect(await said(task, { kind: 'scale', value: 10 })).toBe('approved');
    for (const by of others) expect(await said(task, { kind: 'scale', value: 3 }, by)).toBe('approved');
    const { votes, counts } = await stands(member);
    expect([votes, counts?.length]).toEqual([3, 10]);
    expect(counts?.filter((one) => one.votes > 0)).toEqual([
      { optionId: '3', votes: 2 },
      { optionId: '10', votes: 1 },
    ]);
  });
});

const PDF = Buffer.from('%PDF-1.7\n1 0 obj << >> endobj\ntrailer << >>\n%%EOF\n');
const TEXT = Buffer.from('The ridge is closed.\nGruß, 山\n');
const put = (
  bytes: Buffer<ArrayBuffer>,
  type: 'application/pdf' | 'text/plain',
  fileId: string = randomUUID(),
  userId = member,
) => storeFile(db.sql, { communityId: place.id, fileId, userId, now: NOON }, { type, bytes }).then(({ id }) => id);
const read = (fileId: string, userId: string) => readFile(db.sql, { communityId: place.id, fileId, userId });

describe('file', () => {
  it('is kept by its content, and under its id once', async () => {
    const id = await put(PDF, 'application/pdf');
    expect(await put(PDF, 'application/pdf', id)).toBe(id);
    expect(await refusal(put(TEXT, 'text/plain', id))).toMatchObject({ status: 409, reason: 'IMAGE_EXISTS' });
    const page = Buffer.from('<!doctype html>\0<script>alert(1)</script>');
    const wrong = [
      [PDF, 'text/plain'],
      [TEXT, 'application/pdf'],
      [PDF.subarray(0, 20), 'application/pdf'],
      [page, 'text/plain'],
      [Buffer.from([0xff, 0xfe, 0x41]), 'text/plain'],
      [Buffer.from('  \n '), 'text/plain'],
    ] as const;
    for (const [bytes, type] of wrong)
      expect(await refusal(put(bytes, type)), bytes.toString('latin1')).toMatchObject({ reason: 'FILE_INVALID' });
    expect(await refusal(put(PDF, 'application/pdf', 'no-id'))).toMatchObject({ status: 404 });
  });

  it('waits for a reviewer, who alone may read it beside its member', async () => {
    const task = await on.task(place, { setup: { kind: 'file' } });
    const evidence = (fileId: string) => ({ kind: 'file', fileId, name: 'Report.html', note: 'Page 2' }) as const;
    expect(await said(task, evidence(randomUUID()))).toBe('422 FILE_INVALID');
    const others = await put(PDF, 'application/pdf', randomUUID(), await on.member(place.id));
    expect(await said(task, evidence(others)), 'of another member').toBe('422 FILE_INVALID');
    await nothingOf(task);
    const id = await put(TEXT, 'text/plain');
    expect(await said(task, evidence(id))).toBe('submitted');
    for (const who of [member, place.leader, place.moderator])
      expect(await read(id, who)).toMatchObject({ type: 'text/plain', name: 'Report.html.txt', content: TEXT });
    expect(await refusal(read(id, await on.member(place.id)))).toMatchObject({ status: 404 });
    await sweepImages({ sql: db.sql, now: () => later(30 * DAY) });
    expect(await read(id, member), 'what a claim shows is not swept').toMatchObject({ content: TEXT });
    expect(await refusal(read(others, place.leader)), 'what none shows is').toMatchObject({ status: 404 });
  });

  it('that somebody else sent too, or the same member elsewhere, is marked for the reviewer', async () => {
    const [task, next] = [
      await on.task(place, { setup: { kind: 'file' } }),
      await on.task(place, { setup: { kind: 'file' } }),
    ];
    const other = await on.member(place.id);
    const bytes = Buffer.from('My very own words');
    const sent = async (to: string, by: string) =>
      claim(to, { kind: 'file', fileId: await put(bytes, 'text/plain', randomUUID(), by), name: 'a.txt' }, { by });
    expect((await sent(task, member)).checks).toEqual([]);
    expect(await sent(task, other)).toMatchObject({ state: 'checking', checks: [{ what: 'likeness', ok: false }] });
    expect(await sent(next, member)).toMatchObject({ checks: [{ note: 'The same member sent this file before' }] });
  });
});

it('an export has what each of them was answered', async () => {
  const by = await on.member(place.id, 'Exporter');
  const poll = { kind: 'poll', multiple: true, choices: ['a', 'b'].map((id) => ({ id, text: `Way ${id}` })) } as const;
  const answers: [TaskSetup, Evidence, string][] = [
    [NUMBER, { kind: 'number', value: 12.5 }, '12.5'],
    [{ kind: 'date', earliest: null, latest: null, review: false }, { kind: 'date', date: '2026-11-20' }, '2026-11-20'],
    [{ kind: 'scale', low: 'No', high: 'Yes' }, { kind: 'scale', value: 7 }, '7'],
    [
      { kind: 'file' },
      { kind: 'file', fileId: await put(PDF, 'application/pdf', randomUUID(), by), name: 'map.pdf' },
      'map.pdf',
    ],
    [poll, { kind: 'poll', optionIds: ['a', 'b'] }, 'Way a; Way b'],
  ];
  for (const [at, [setup, evidence]] of answers.entries())
    await claim(await on.task(place, { setup }), evidence, { by, now: later(at * MINUTE) });
  const lines: unknown[] = [];
  for await (const page of tables.claims.pages(db.sql, place.id)) lines.push(...page);
  const own = (lines as { member: string; kind: string; answer: string }[]).filter((one) => one.member === 'Exporter');
  expect(own.map(({ kind, answer }) => [kind, answer])).toEqual(answers.map(([{ kind }, , answer]) => [kind, answer]));
});
