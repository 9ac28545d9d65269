/**
 * What a person takes with them is what they may see now: of what they made for a community its contents while they lead it, its
 * titles while they may read those, whatever others have changed since.
 */
import { expect, it } from 'vitest';
import { archiveOf } from '../../server/features/person/archive.ts';
import { ledgerKey } from '../../server/storage/secrets.ts';
import { fc, runs } from '../support/chance.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { QUIZ } from '../support/task-stage.ts';
import { unzip } from '../support/unzip.ts';

const server = await ofFile(testServer());

const CHANGES = [
  'made leader',
  'made moderator',
  'made member',
  'left',
  'private',
  'public',
  'community suspended',
  'community restored',
  'suspended',
  'restored',
  'edited',
] as const;
type Change = (typeof CHANGES)[number];
type Standing = {
  role: 'leader' | 'moderator' | 'member' | null;
  isPrivate: boolean;
  isActive: boolean;
  isSuspended: boolean;
};
const BEGUN: Standing = { role: 'leader', isPrivate: false, isActive: true, isSuspended: false };

function after(standing: Standing, change: Change): Standing {
  switch (change) {
    case 'made leader':
      return { ...standing, role: 'leader' };
    case 'made moderator':
      return { ...standing, role: 'moderator' };
    case 'made member':
      return { ...standing, role: 'member' };
    case 'left':
      return { ...standing, role: null };
    case 'private':
    case 'public':
      return { ...standing, isPrivate: change === 'private' };
    case 'community suspended':
    case 'community restored':
      return { ...standing, isActive: change === 'community restored' };
    case 'suspended':
    case 'restored':
      return { ...standing, isSuspended: change === 'suspended' };
    case 'edited':
      return standing;
  }
}

/** Who may read a text: `leads` its leaders, `members` those and its people, `all` everybody while it is public. */
type Reader = 'leads' | 'members' | 'all' | 'nobody';
const mayRead = ({ role, isPrivate, isActive, isSuspended }: Standing, reader: Reader): boolean => {
  // Whoever is suspended, or whose community is, leads nothing.
  if (reader === 'leads') return role === 'leader' && isActive && !isSuspended;
  return reader !== 'nobody' && (role !== null || (reader === 'all' && !isPrivate));
};

/** Texts that stand in the database, by who may read them. The member took part, and made everything as a leader. */
async function write(mark: string, place: string, userId: string, isNew: boolean): Promise<Record<string, Reader>> {
  const { sql } = server;
  const canaries: Record<string, Reader> = {};
  const text = (of: string, reader: Reader): string => {
    const canary = `${mark}-${of}`;
    canaries[canary] = reader;
    return canary;
  };
  const [by, at] = [{ community_id: place, created_by: userId }, new Date('2026-01-01T00:00:00Z')];
  const quiz = { ...QUIZ, questions: [{ ...QUIZ.questions[0], explanation: text('quiz-key', 'leads') }] };
  const rows = {
    communities: { description: text('about', 'leads'), rules: text('rules', 'leads') },
    announcements: { title: text('news', 'members'), body: text('news-body', 'leads') },
    live: { title: text('task', 'all'), instructions: text('task-how', 'leads'), config: sql.json(quiz) },
    partner: {
      title: text('partner', 'all'),
      config: sql.json({ url: `https://partner.example/${text('partner-token', 'leads')}`, asks: '' }),
    },
    draft: { title: text('draft', 'leads'), instructions: text('draft-how', 'leads') },
    seasons: { name: text('season', 'all'), rules: text('season-rules', 'leads') },
    planned: { name: text('planned', 'leads') },
    webhooks: {
      url: `https://hook.example/${text('hook', 'leads')}`,
      secret: Buffer.from(text('hook-secret', 'nobody')),
    },
    packs: { title: text('pack', 'leads'), questions: sql.json([{ id: 'q', answer: text('pack-key', 'leads') }]) },
    imports: { file_name: text('file', 'leads') },
  };
  if (isNew) {
    await sql`update communities set ${sql(rows.communities)} where id = ${place}`;
    await sql`insert into announcements ${sql({ ...by, ...rows.announcements })}`;
    const task = { ...by, points: 5, recurrence: 'once', created_at: at };
    const [live] = await sql`insert into tasks ${sql({ ...task, kind: 'quiz', ...rows.live })} returning id`;
    await sql`insert into tasks ${sql({ ...task, kind: 'partner', ...rows.partner })}`;
    await sql`insert into tasks ${sql({ ...task, kind: 'check_in', status: 'draft', ...rows.draft })}`;
    const season = { ...by, starts_at: at, ends_at: new Date('2027-01-01T00:00:00Z') };
    await sql`insert into seasons ${sql({ ...season, started_at: at, ...rows.seasons })}`;
    await sql`insert into seasons ${sql({ ...season, ...rows.planned })}`;
    await sql`insert into webhooks ${sql({ ...by, events: ['claim.decided'], ...rows.webhooks })}`;
    await sql`insert into quiz_packs ${sql({ ...by, language: 'en', ...rows.packs })}`;
    const brought = { ...by, kind: 'people', source: 'other', count: 1, created_at: at, undo_until: at };
    await sql`insert into imports ${sql({ ...brought, ...rows.imports })}`;
    // As a member before: a claim and its points, whose lists name the task.
    const own = { community_id: place, task_id: live?.['id'], user_id: userId, period: 'once', points: 5 };
    const [claim] = await sql`
      insert into claims ${sql({ ...own, state: 'approved', acted_at: at, local_day: at })} returning id`;
    await sql`insert into point_events ${sql({ ...own, claim_id: claim?.['id'], kind: 'award' })}`;
    return canaries;
  }
  await sql`update communities set ${sql(rows.communities)} where id = ${place}`;
  await sql`update announcements set ${sql(rows.announcements)} where community_id = ${place}`;
  await sql`update tasks set ${sql(rows.live)} where community_id = ${place} and kind = 'quiz'`;
  await sql`update tasks set ${sql(rows.partner)} where community_id = ${place} and kind = 'partner'`;
  await sql`update tasks set ${sql(rows.draft)} where community_id = ${place} and status = 'draft'`;
  await sql`update seasons set ${sql(rows.seasons)} where community_id = ${place} and started_at is not null`;
  await sql`update seasons set ${sql(rows.planned)} where community_id = ${place} and started_at is null`;
  await sql`update webhooks set ${sql(rows.webhooks)} where community_id = ${place}`;
  await sql`update quiz_packs set ${sql(rows.packs)} where community_id = ${place}`;
  await sql`update imports set ${sql(rows.imports)} where community_id = ${place}`;
  return canaries;
}

async function apply(change: Change, place: string, userId: string): Promise<void> {
  const { sql } = server;
  const role = /^made (.*)$/.exec(change)?.[1];
  if (role)
    await sql`
      insert into community_members (community_id, user_id, role) values (${place}, ${userId}, ${role})
      on conflict (community_id, user_id) do update set role = excluded.role`;
  if (change === 'left') await sql`delete from community_members where community_id = ${place} and user_id = ${userId}`;
  if (change === 'private' || change === 'public')
    await sql`update communities set visibility = ${change} where id = ${place}`;
  if (change === 'community suspended') await sql`update communities set status = 'suspended' where id = ${place}`;
  if (change === 'community restored') await sql`update communities set status = 'active' where id = ${place}`;
  if (change === 'suspended') await sql`update users set suspended_at = now() where id = ${userId}`;
  if (change === 'restored') await sql`update users set suspended_at = null where id = ${userId}`;
}

async function archived(userId: string): Promise<string> {
  const key = ledgerKey(server.runtime.config.home);
  const asked = { userId, name: 'Somebody', issuer: 'https://muster.example', key, now: new Date() };
  const pieces: Buffer[] = [];
  for await (const piece of archiveOf(server.sql, asked)) pieces.push(piece);
  const texts = [...unzip(Buffer.concat(pieces)).values()].map((bytes) => bytes.toString());
  // Bytes stand there in digits.
  return texts.join('\n').replace(/\\\\x([0-9a-f]{2,})/g, (_, digits: string) => Buffer.from(digits, 'hex').toString());
}

let count = 0;
async function play(changes: readonly Change[]): Promise<void> {
  const { sql } = server;
  count += 1;
  const { userId } = await server.person();
  const founder = await server.person();
  const [{ id: place }] = await sql<[{ id: string }]>`
    insert into communities (slug, name, counts_on_instance, created_by)
    values (${`place-${count}`}, ${`Place ${count}`}, true, ${userId}) returning id`;
  await sql`insert into community_members (community_id, user_id, role) values
    (${place}, ${userId}, 'leader'), (${place}, ${founder.userId}, 'leader')`;
  let canaries = await write(`canary-${count}-0`, place, userId, true);
  let standing = BEGUN;
  for (const [nth, change] of changes.entries()) {
    await apply(change, place, userId);
    if (change === 'edited') canaries = await write(`canary-${count}-${nth + 1}`, place, userId, false);
    standing = after(standing, change);
    const text = await archived(userId);
    for (const [canary, reader] of Object.entries(canaries))
      expect(text.includes(canary), `${canary} (${reader}) after ${changes.slice(0, nth + 1).join(', ')}`).toBe(
        mayRead(standing, reader),
      );
    // Kind and times stay, whatever they are now.
    const made = /"tasks_made": (\[[\s\S]*?\n \])/.exec(text)?.[1] ?? '[]';
    expect(
      JSON.parse(made)
        .map(({ kind }: { kind: string }) => kind)
        .sort(),
    ).toEqual(['check_in', 'partner', 'quiz']);
  }
}

it('an archive has what its person may see now, after whatever became of their role, the community and its texts', {
  timeout: 300_000,
}, async () => {
  for (const change of CHANGES) await play([change, 'edited']);
  for (const changes of fc.sample(fc.array(fc.constantFrom(...CHANGES), { minLength: 4, maxLength: 8 }), runs(8, 60)))
    await play(changes);
});
