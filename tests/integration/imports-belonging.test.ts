import { afterAll, expect, test } from 'vitest';
import { leaveCommunity, removeMember } from '../../server/features/communities/membership.ts';
import { tableText } from '../../server/features/exports/table.ts';
import { tables } from '../../server/features/exports/tables.ts';
import { listImports } from '../../server/features/imports/imports.ts';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { fc, runs } from '../support/chance.ts';
import { createTestDatabase } from '../support/database.ts';
import { type StagedCommunity, stage } from '../support/engagement.ts';
import { allowMany, mover, peopleFile, signIn } from '../support/imports.ts';
import { ofFile } from '../support/of-file.ts';

let counted = 0;

const db = await ofFile(createTestDatabase());
const on = stage(db.sql);
const counting = connectTo(db.url, { max: 1, debug: () => (counted += 1) });
// The first statement of a connection asks for the types of lists as well.
await counting`select ${[1]}::integer[]`;
afterAll(async () => {
  await counting?.end();
});

const NOW = new Date();
let ids = 80_000_000;

/** How somebody stands to a community before anything is imported, and how its file names them. */
const someone = fc.record({
  been: fc.constantFrom('never here', 'left', 'removed', 'declined', 'not verified'),
  isHidden: fc.boolean(),
  hasX: fc.boolean(),
  way: fc.constantFrom('id', 'name', 'name and X', 'name and another X', 'id and name'),
  points: fc.nat(500),
});
type Someone = ReturnType<(typeof someone)['generate']>['value'];
type Person = Someone & { userId: string; telegramId: number; name: string };

async function account(one: Someone): Promise<Person> {
  ids += 1;
  const [telegramId, name] = [ids, `person_${ids}`];
  const userId = await signIn(db.sql, telegramId, name, NOW);
  await db.sql`
    update users set hidden_at = ${one.isHidden ? NOW : null}, is_verified = ${one.been !== 'not verified'},
      twitter_username = ${one.hasX ? `x_${ids}` : null} where id = ${userId}`;
  return { ...one, userId, telegramId, name };
}

/** Their line in the file; `isThem`: it names the account, else somebody whom nobody here knows, in as many letters. */
function lineOf({ way, telegramId, name, points }: Person, isThem: boolean): string {
  const id = isThem ? telegramId : telegramId + 900_000_000;
  const at = isThem ? name : `nobody_${name.slice(7)}`;
  const x = way === 'name and X' ? `x_${telegramId}` : way === 'name and another X' ? 'x_another' : '';
  return [way.startsWith('id') ? id : '', way === 'id' ? '' : at, x, points].join(',');
}
const fileOf = (people: readonly Person[], isThem = true) =>
  peopleFile(['telegram_id,telegram,x,points', ...people.map((one) => lineOf(one, isThem))]);

const over = (place: StagedCommunity, userId: string) => ({
  communityId: place.id,
  userId,
  leaderId: place.leader,
  now: NOW,
});
const leave = (place: StagedCommunity, userId: string) => db.sql.begin((tx) => leaveCommunity(tx, over(place, userId)));
const remove = (place: StagedCommunity, userId: string) =>
  db.sql.begin((tx) => removeMember(tx, over(place, userId), { reason: 'Not any more' }));

async function world(visibility: 'public' | 'private', people: readonly Someone[]) {
  const place = await on.community(visibility);
  await db.sql`update users set display_name = 'The leader' where id = ${place.leader}`;
  // Imports come one after another: those of one moment have no order.
  let tick = 0;
  const mine = mover(db.sql, place, () => new Date(NOW.getTime() + tick));
  const run: typeof mine.run = (file) => {
    tick += 1_000;
    return mine.run(file);
  };
  const move = { ...mine, run };
  const accounts: Person[] = [];
  for (const one of people) {
    const person = await account(one);
    accounts.push(person);
    if (one.been === 'left' || one.been === 'removed') {
      await move.join(person.userId);
      await (one.been === 'left' ? leave : remove)(place, person.userId);
    }
    if (one.been === 'declined') {
      const { id } = await move.run(peopleFile(['telegram_id', `${person.telegramId}`]));
      await move.decline(person.userId);
      await move.undo(id);
    }
  }
  return { place, move, people: accounts };
}
type World = Awaited<ReturnType<typeof world>>;

const membersOf = async ({ place, people }: World) => {
  const rows = await db.sql<{ userId: string }[]>`
    select user_id as "userId" from community_members where community_id = ${place.id}`;
  const here = new Set(rows.map(({ userId }) => userId));
  return people.map(({ userId }) => here.has(userId));
};

/** Everything that leaders read of imports and of who is here, without what tells the two worlds apart by design. */
async function founderSees({ place, move, people }: World, isThem: boolean): Promise<unknown> {
  const text = async (table: 'members' | 'waiting') => {
    const { columns, pages } = tables[table];
    let written = '';
    for await (const part of tableText('csv', columns, pages(db.sql, place.id))) written += part;
    return written.split('\n');
  };
  const from = counted;
  const check = await mover(counting, place, () => NOW).dryRun(fileOf(people, isThem));
  const seen = {
    statements: counted - from,
    check,
    imports: await listImports(db.sql, place.id),
    members: (await text('members')).length,
    waiting: (await text('waiting')).map((line) => people.reduce(masked(isThem), line)).sort(),
    audit: await db.sql`select action, reason from audit_entries where community_id = ${place.id} order by id`,
    room: (await move.dryRun(peopleFile(['telegram_id,points', '1,1']))).room,
  };
  return people.reduce(masked(isThem), JSON.stringify(seen).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid'));
}

/** What names a person in a file, by their place. */
const masked =
  (isThem: boolean) =>
  (shown: string, { telegramId }: Person, at: number): string =>
    shown
      .replaceAll(`x_${telegramId}`, `x ${at}`)
      .replaceAll(new RegExp(`(person|nobody)_${telegramId}`, 'g'), `name ${at}`)
      .replaceAll(String(isThem ? telegramId : telegramId + 900_000_000), `id ${at}`);

test('whoever has an account and whoever has none look the same to leaders, whatever is imported, looked at and undone', async () => {
  const step = fc.constantFrom('import', 'undo', 'settle', 'sign in', 'offers', 'decline', 'look');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('public' as const, 'private' as const),
      fc.array(someone, { minLength: 1, maxLength: 5 }),
      fc.array(step, { minLength: 2, maxLength: 8 }),
      async (visibility, people, steps) => {
        const [known, unknown] = [await world(visibility, people), await world(visibility, people)];
        for (const what of ['import', ...steps]) {
          for (const [at, isThem] of [[known, true] as const, [unknown, false] as const]) {
            const { move } = at;
            if (what === 'import') await move.run(fileOf(at.people, isThem));
            if (what === 'undo') for (const { id } of await listImports(db.sql, at.place.id)) await move.undo(id);
            if (what === 'settle') await move.settle();
            for (const { userId, telegramId, name } of at.people) {
              if (what === 'sign in') await signIn(db.sql, telegramId, name, NOW);
              if (what === 'offers') await move.offers(userId);
              if (what === 'decline') await move.decline(userId);
            }
          }
          expect(await founderSees(known, true), `after ${what}`).toBe(await founderSees(unknown, false));
          expect(await membersOf(known)).toEqual(people.map(() => false));
        }
      },
    ),
    { numRuns: runs(12, 120) },
  );
}, 240_000);

test('nobody belongs without their own act, and who left, was removed or said no is offered nothing', async () => {
  const act = fc.constantFrom('join', 'accept', 'decline', 'leave', 'remove', 'sign in', 'import', 'undo', 'settle');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('public' as const, 'private' as const),
      fc.array(someone, { minLength: 1, maxLength: 4 }),
      fc.array(fc.record({ what: act, who: fc.nat(3) }), { minLength: 4, maxLength: 16 }),
      async (visibility, given, acts) => {
        const at = await world(visibility, given);
        const { place, move, people } = at;
        await allowMany(db.sql, place);
        const belongs = people.map(() => false);
        const everJoined = people.map(({ been }) => been === 'left' || been === 'removed');
        const isClosed = people.map(({ been }) => ['left', 'removed', 'declined'].includes(been));
        const lines = (one: Person) => one.way !== 'name and another X' || !one.hasX;
        let waits = false;
        for (const { what, who } of [{ what: 'import', who: 0 } as const, ...acts]) {
          const index = who % people.length;
          const person = people[index] as Person;
          const offered = waits && !belongs[index] && !isClosed[index] && lines(person);
          const isOffered = offered && (visibility === 'public' || person.way.startsWith('id'));
          expect((await move.offers(person.userId)).map(({ communityId }) => communityId)).toEqual(
            isOffered ? [place.id] : [],
          );
          if (what === 'import') {
            await move.run(fileOf(people));
            waits = true;
          }
          if (what === 'undo') {
            for (const { id } of await listImports(db.sql, place.id)) await move.undo(id);
            waits = false;
          }
          if (what === 'settle') await move.settle();
          if (what === 'sign in') await signIn(db.sql, person.telegramId, person.name, NOW);
          if (what === 'join') await move.join(person.userId);
          if (what === 'accept') await move.accept(person.userId).catch((error) => expect(error.status).toBe(404));
          if (what === 'join' || (what === 'accept' && isOffered)) {
            belongs[index] = true;
            everJoined[index] = true;
          }
          if (what === 'decline') {
            await move.decline(person.userId);
            isClosed[index] ||= isOffered;
          }
          if ((what === 'leave' || what === 'remove') && belongs[index]) {
            await (what === 'leave' ? leave : remove)(place, person.userId);
            belongs[index] = false;
            isClosed[index] = true;
          }
          expect(await membersOf(at), `after ${what}`).toEqual(belongs);
        }
        await move.settle();
        expect(await membersOf(at)).toEqual(belongs);
        for (const [index, { userId }] of people.entries()) {
          const [points] = await db.sql<[{ lines: number }]>`
            select count(*)::int as lines from point_events where community_id = ${place.id} and user_id = ${userId}`;
          if (!everJoined[index]) expect(points.lines).toBe(0);
        }
      },
    ),
    { numRuns: runs(20, 200) },
  );
  expect(await db.sql.begin(readDrift)).toEqual([]);
}, 240_000);
