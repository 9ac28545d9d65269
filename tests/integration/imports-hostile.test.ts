import { expect, test } from 'vitest';
import { IMPORT_LINES } from '../../server/contract/import-limits.ts';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { fc, runs } from '../support/chance.ts';
import { createTestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { allowMany, mover, peopleFile } from '../support/imports.ts';
import { ofFile } from '../support/of-file.ts';
import { changes } from '../support/world.ts';

const db = await ofFile(createTestDatabase());
const place = await stage(db.sql).community();
await allowMany(db.sql, place);
const move = mover(db.sql, place);

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.stringMatching(/^[",;\t\r\n'=+@-]{0,20}$/),
  fc.constantFrom(
    ...[
      '\0',
      '\u202egnp.exe',
      '=cmd|calc',
      '__proto__',
      'constructor',
      'NaN',
      '1e309',
      '-0',
      '0x1F',
      '１２',
      '9'.repeat(500),
    ],
    ...["'; drop table users;--", '<script>', '\ufeff', '"', '""', 'telegram', 'points', 'a'.repeat(3_000), '🏳️‍🌈'],
  ),
);
const table = fc
  .record({
    head: fc.oneof(
      fc.constantFrom('telegram_id,points', 'telegram,name,points,x,joined', 'title,points,kind,setup,schedule', ''),
      fc.array(nasty, { maxLength: 8 }).map((cells) => cells.join(',')),
    ),
    rows: fc.array(fc.array(nasty, { maxLength: 8 }), { maxLength: 8 }),
    join: fc.constantFrom(',', ';', '\t', '","'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    kind: fc.constantFrom('people' as const, 'tasks' as const),
  })
  .map(({ head, rows, join, end, kind }) => ({
    kind,
    name: 'x.csv',
    text: [head, ...rows.map((cells) => cells.join(join))].join(end),
  }));

test('hostile files: each line is taken or named with what is wrong, and nothing is written', async () => {
  const before = await changes(db.sql);
  await fc.assert(
    fc.asyncProperty(table, async (file) => {
      const check = await move.dryRun(file);
      const lines = file.text.split(/\r\n|\r|\n/).length;
      const left = new Set(check.findings.flatMap((one) => (one.effect === 'left_out' ? one.lines : [])));
      const stopped = check.findings.some(({ effect }) => effect === 'stops');
      expect(check.ready + check.leftOut).toBe(check.rows);
      if (!stopped) expect(left.size).toBe(check.leftOut);
      if (check.ready === 0) expect(check.findings.length).toBeGreaterThan(0);
      for (const one of check.findings) for (const line of one.lines) expect(line >= 1 && line <= lines).toBe(true);
      JSON.parse(JSON.stringify(check));
    }),
    { numRuns: runs(200, 1_000) },
  );
  expect(await changes(db.sql)).toEqual(before);
});

test('whatever a file holds, its import gives exactly what the dry run said, and undone nothing of it is left', async () => {
  let ids = 50_000_000;
  const person = fc.record({ known: fc.boolean(), points: fc.nat(5_000), twice: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 12 }), async (people) => {
      const lines = ['telegram_id,points'];
      let sum = 0;
      let known = 0;
      const joining: string[] = [];
      for (const { known: isKnown, points, twice } of people) {
        ids += 1;
        if (isKnown) {
          const [user] = await db.sql<[{ id: string }]>`
            insert into users (telegram_user_id, display_name) values (${ids}, 'Known') returning id`;
          joining.push(user.id);
          known += points;
        }
        sum += points;
        lines.push(`${ids},${points}`, ...(twice ? [`${ids},999999`] : []));
      }
      const file = peopleFile(lines);
      const check = await move.dryRun(file);
      expect([check.ready, check.points]).toEqual([people.length, sum]);
      const { id } = await move.run(file);
      for (const user of joining) await move.join(user);
      await move.settle();
      const total = async () => {
        const [row] = await db.sql<[{ sum: number }]>`
          select coalesce(sum(points), 0)::int as sum from scores where community_id = ${place.id}`;
        return row.sum;
      };
      expect(await total()).toBe(known);
      await move.undo(id);
      await move.settle();
      expect(await total()).toBe(0);
    }),
    { numRuns: runs(10, 50) },
  );
  expect(await db.sql.begin(readDrift)).toEqual([]);
});

test('thousands of people are tried, moved in and undone exactly, in few statements', {
  timeout: 180_000,
}, async () => {
  const count = runs(5_000, 50_000);
  let statements = 0;
  const sql = connectTo(db.url, { max: 2, debug: () => (statements += 1) });
  const crowd = mover(sql, place);
  const lines = Array.from({ length: count }, (_, at) => `${60_000_000 + at},Person ${at},${at % 997},2024-01-01`);
  // Every tenth is a member already.
  await db.sql`
    with known as (
      insert into users (telegram_user_id, display_name)
      select 60000000 + 10 * n, 'Known ' || n from generate_series(0, ${count / 10 - 1}) n returning id
    )
    insert into community_members (community_id, user_id) select ${place.id}, id from known`;
  const members = async () => (await db.sql`select from community_members where community_id = ${place.id}`).length;
  const before = await members();
  const file = peopleFile(['telegram_id,name,points,joined', ...lines]);
  const sum = (step: number) => {
    let total = 0;
    for (let at = 0; at < count; at += step) total += at % 997;
    return total;
  };
  const check = await crowd.dryRun(file);
  expect([check.ready, check.points]).toEqual([count, sum(1)]);
  expect(check.findings.map(({ problem, lines }) => [problem, lines.length])).toEqual([['here', count / 10]]);
  const { id } = await crowd.run(file);
  await crowd.settle();
  const tally = () => db.sql`
    select coalesce(sum(points), 0)::int as points, count(*) filter (where points <> 0)::int as people
    from scores where community_id = ${place.id}`;
  const people = Array.from({ length: count / 10 }, (_, at) => (10 * at) % 997).filter((points) => points > 0).length;
  expect(await tally()).toEqual([{ points: sum(10), people }]);
  expect(await members()).toBe(before);
  await crowd.undo(id);
  await crowd.settle();
  await sql.end();
  expect(await tally()).toEqual([{ points: 0, people: 0 }]);
  expect(await members()).toBe(before);
  expect(await db.sql.begin(readDrift)).toEqual([]);
  expect(statements).toBeLessThan(count / 10);
});

test('a file of more lines than fit is refused by its line', async () => {
  const file = peopleFile(['telegram_id', ...Array.from({ length: IMPORT_LINES + 1 }, (_, at) => String(at + 1))]);
  const check = await move.dryRun(file);
  expect(check.findings[0]).toMatchObject({ problem: 'lines_many', effect: 'stops', lines: [IMPORT_LINES + 2] });
  expect(check.ready).toBe(0);
});
