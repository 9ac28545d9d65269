import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONValue, Sql } from 'postgres';
import { expect, test } from 'vitest';
import { announce } from '../../server/features/announcements/announcements.ts';
import { adjust } from '../../server/features/awards/adjust.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { PERSON_COLUMNS } from '../../server/features/person/columns.ts';
import { eraseDue } from '../../server/features/person/erase.ts';
import { scheduleErasure } from '../../server/features/person/erasure.ts';
import { once } from '../../server/http/idempotency.ts';
import { backUp } from '../../server/storage/backup.ts';
import { restore } from '../../server/storage/restore.ts';
import { runs, SEED, seeded } from '../support/chance.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type StagedCommunity, stage } from '../support/engagement.ts';
import { tablesWith } from '../support/planted.ts';

/**
 * Histories of people who are called like each other, like fields and values of JSON, or like others' ids; who write so, too; and who are
 * erased in any order, with backups and restores in between.
 */
const HISTORIES = runs(3, 100);
const DAY_MS = 86_400_000;

/** `mark` stands in all that they wrote themselves, and in nobody's name. */
type Person = { id: string; mark: string; name: string; username: string; handle: string; telegramId: number };
type Sent = { userId: string; key: string; route: string; hash: Buffer };
type Row = Record<string, JSONValue>;
type Rows = { table: string; row: Row }[];

/** All rows of tables that may have one of a person. */
async function snapshot(sql: Sql): Promise<Rows> {
  const parts = Object.keys(PERSON_COLUMNS).map(
    (name) => `select '${name}' as "table", to_jsonb(t) as row from "${name}" t`,
  );
  return (await sql.unsafe(parts.join(' union all '))) as unknown as Rows;
}

/** The rows that are not of these people, as texts: what an erasure must leave as it is. */
function ofOthers(rows: Rows, gone: ReadonlySet<string>, lines: ReadonlySet<string>): string[] {
  const claims = new Set(
    rows.flatMap(({ table, row }) => (table === 'claims' && gone.has(`${row['user_id']}`) ? [row['id']] : [])),
  );
  const isTheirs = (table: string, row: Row): boolean => {
    if (table === 'claim_events') return claims.has(row['claim_id'] ?? '');
    if (table === 'audit_entries') return gone.has(`${row['subject_id']}`) || claims.has(row['subject_id'] ?? '');
    if (table === 'imported_people')
      return gone.has(`${row['user_id']}`) || lines.has(`${row['import_id']} ${row['line']}`);
    if (table === 'webhook_deliveries') {
      const { data } = row['body'] as { data: { userId?: string; claim?: { userId: string } } };
      return gone.has(data.userId ?? data.claim?.userId ?? '');
    }
    // Sent to all but them: nobody is left out any more.
    if (table === 'notifications' && gone.has(`${(row['audience'] as Row | null)?.['except']}`)) return true;
    const { of = [] } = PERSON_COLUMNS[table as keyof typeof PERSON_COLUMNS] ?? {};
    return of.some((column) => [...gone].some((id) => `${row[column]}`.startsWith(id)));
  };
  return rows
    .filter(({ table, row }) => !isTheirs(table, row))
    .map(({ table, row }) => {
      // Counts of members, and what names who did something to it, follow who is there; answers are looked at by themselves.
      const { members: _, answer, ...rest } = row;
      const isAnnouncement = table === 'webhook_deliveries' && row['event'] === 'announcement.posted';
      const { body, ...told } = rest;
      return `${table} ${JSON.stringify(isAnnouncement ? told : rest)}`;
    });
}

/** What these people wrote in answers that are stored for others. */
const quoted = (rows: Rows, people: readonly Person[], gone: ReadonlySet<string>): string[] =>
  rows
    .flatMap(({ table, row }) =>
      table === 'idempotency_keys' && !gone.has(`${row['user_id']}`)
        ? (JSON.stringify(row['answer']).match(/mark-\d+ \w+/g) ?? [])
        : [],
    )
    .filter((words) => people.some(({ mark }) => words.startsWith(`${mark} `)))
    .sort();

/** What is missing of the one in the other, each as often as it is there. */
function missing(before: readonly string[], after: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of after) left.set(one, (left.get(one) ?? 0) + 1);
  return before.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

class History {
  private readonly chance: () => number;
  private readonly folder = mkdtempSync(join(tmpdir(), 'muster-odd-'));
  private readonly databases: TestDatabase[] = [];
  private readonly gone: Person[] = [];
  private sent: Sent[] = [];
  private people: Person[] = [];
  private backups: { path: string; rows: Rows; sent: Sent[] }[] = [];
  private place!: StagedCommunity;
  private home = join(this.folder, 'home');
  private acts = 0;

  constructor(seed: number) {
    this.chance = seeded(seed);
  }
  private pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.chance() * of.length)] as T;
  }
  private get sql(): Sql {
    return this.databases.at(-1)?.sql as Sql;
  }
  private get here(): Person[] {
    return this.people.filter((one) => !this.gone.includes(one));
  }

  async play(): Promise<void> {
    try {
      await this.begin();
      for (let turn = 0; turn < 4; turn += 1) {
        for (let act = 0; act < 4; act += 1) await this.act();
        const next = this.pick(['backup', 'erase', 'erase', 'restore']);
        if (next === 'backup' || turn === 0) await this.backUp();
        if (next === 'erase' || turn === 1) await this.erase(this.pick(this.here));
        if (next === 'restore' || turn === 3) await this.restore(this.pick(this.backups));
      }
      await this.repeat();
    } finally {
      for (const database of this.databases) await database.drop();
      rmSync(this.folder, { recursive: true });
    }
  }

  private async begin(): Promise<void> {
    this.databases.push(await createTestDatabase());
    const on = stage(this.sql);
    this.place = await on.community();
    await this.sql`
      insert into webhooks (community_id, url, events, secret, created_by)
      values (${this.place.id}, 'https://hooks.example.org/', '{points.changed,claim.decided,announcement.posted,member.left}', 's', ${this.place.leader})`;
    for (let nth = 0; nth < 5; nth += 1) {
      const id = await on.join(this.place.id, await on.person(), 'moderator');
      const telegramId = Math.floor(this.chance() * 1e12);
      this.people.push({
        id,
        mark: `mark-${nth}${telegramId}`,
        name: '',
        username: `user_${nth}`,
        handle: `x_${nth}`,
        telegramId,
      });
    }
    for (const one of this.people) {
      const other = this.pick(this.people.filter((person) => person !== one));
      one.name = this.pick([
        ...['id', 'null', 'true', 'userId', 'Erased person', '', '%', '"', '{}', '😀👩‍👩‍👧', 'approved', 'submit_text'],
        ...[
          other.username,
          `@${other.username}`,
          other.handle,
          other.id,
          String(other.telegramId),
          other.name,
          this.place.slug,
        ],
      ]);
      await this.sql`
        update users set display_name = ${one.name}, telegram_username = ${one.username}, twitter_username = ${one.handle},
          telegram_user_id = ${one.telegramId} where id = ${one.id}`;
      await this.sql`
        insert into sessions (token_hash, user_id, kind, user_agent, expires_at)
        values (sha256(${one.id}::bytea), ${one.id}, 'web', ${`${one.mark} agent`}, now() + interval '60 days')`;
    }
  }

  /** A command, as the app sends it. */
  private async send(userId: string, route: string, run: Parameters<typeof once>[3]['run']): Promise<void> {
    this.acts += 1;
    const key = `key-${this.acts}`;
    const command = { userId, key, route, hash: createHash('sha256').update(key).digest() };
    this.sent.push(command);
    await once(this.sql, command, new Date(), { run, toStore: (json) => json });
  }

  private async act(): Promise<void> {
    const { place } = this;
    const [communityId, now] = [place.id, new Date()];
    const [one, other] = [this.pick(this.here), this.pick(this.people)];
    const words = `${one.mark} wrote ${this.pick([other.name, other.id, other.username, '"id":null'])}`;
    const act = this.pick(['claim', 'adjust', 'announce', 'import']);
    if (act === 'claim') {
      const on = stage(this.sql);
      const claim = await on.claim(place, await on.task(place, { setup: { kind: 'submit_text' } }), one.id, {
        text: words,
      });
      const reviewerId = this.pick([
        place.moderator,
        ...this.here.filter(({ id }) => id !== one.id).map(({ id }) => id),
      ]);
      await this.send(reviewerId, 'POST /api/communities/:communityId/claims/:claimId/decision', async (tx) => ({
        status: 200,
        json: await decideClaim(
          tx,
          { communityId, claimId: claim.id, reviewerId, now },
          { decision: 'approve', version: claim.version },
        ),
      }));
    } else if (act === 'adjust')
      await this.send(place.leader, 'POST /api/communities/:communityId/adjustments', async (tx) => ({
        status: 200,
        json: await adjust(
          tx,
          { communityId, leaderId: place.leader, now },
          { userId: one.id, points: 3, reason: words },
        ),
      }));
    else if (act === 'announce')
      await this.send(one.id, 'POST /api/communities/:communityId/announcements', async (tx) => ({
        status: 201,
        json: await announce(
          tx,
          { communityId, userId: one.id, now },
          { title: 'News', body: 'Of all', pinnedUntil: null, notify: null },
        ),
      }));
    else await this.bringLine(one, other);
  }

  /** A line of a file of another community that waits, for somebody who is here or for anybody who is called like them. */
  private async bringLine(one: Person, other: Person): Promise<void> {
    const elsewhere = await stage(this.sql).community();
    const [file] = await this.sql<{ id: string }[]>`
      insert into imports (community_id, kind, source, file_name, count, created_by, created_at, undo_until)
      values (${elsewhere.id}, 'people', 'other', 'a.csv', 1, ${elsewhere.leader}, now(), now()) returning id`;
    const line = this.pick<[number | null, string | null, string | null]>([
      [null, one.username, null],
      [one.telegramId, other.username, null],
      [null, one.name.toLowerCase() || 'nobody', null],
      [null, null, one.handle],
      [null, one.username, other.handle],
      [null, other.username, one.handle],
      [null, one.name.toLowerCase() || 'nobody', one.name.toLowerCase()],
    ]);
    await this.sql`
      insert into imported_people (import_id, line, community_id, telegram_user_id, telegram_username, x_handle, points)
      values (${file?.id ?? ''}, 1, ${elsewhere.id}, ${line[0]}, ${line[1]}, ${line[2]}, 777)`;
  }

  /** Lines that name one of these people and nobody else. */
  private linesOf(rows: Rows, people: readonly Person[]): Set<string> {
    const names = ({ row }: Rows[number]) =>
      people.some(({ telegramId, username, handle }) =>
        row['telegram_user_id'] !== null
          ? row['telegram_user_id'] === telegramId
          : row['telegram_username'] !== null
            ? row['telegram_username'] === username && [null, handle].includes(row['x_handle'] as string | null)
            : row['x_handle'] === handle,
      );
    const lines = rows.filter((one) => one.table === 'imported_people' && names(one));
    return new Set(lines.map(({ row }) => `${row['import_id']} ${row['line']}`));
  }

  private async backUp(): Promise<void> {
    const path = join(this.folder, `${this.backups.length}.backup`);
    await backUp(this.sql, this.home, path);
    this.backups.push({ path, rows: await snapshot(this.sql), sent: [...this.sent] });
  }

  private async erase(person: Person): Promise<void> {
    const before = await snapshot(this.sql);
    const now = new Date();
    const wish = {
      userId: person.id,
      by: 'operator',
      actorId: null,
      reason: null,
      now,
      leavesCommunities: true,
    } as const;
    await this.sql.begin((tx) => scheduleErasure(tx, wish));
    await eraseDue({ sql: this.sql, now: () => new Date(now.getTime() + 8 * DAY_MS), config: { home: this.home } });
    this.gone.push(person);
    await this.check(before, [person]);
  }

  /** Into a new place, to which the home was moved or not. */
  private async restore(backup: History['backups'][number]): Promise<void> {
    // Without its home an instance knows what the newest backup’s copy of the list knows.
    if (this.chance() < 0.5) {
      await this.backUp();
      this.home = join(this.folder, `home-${this.databases.length}`);
    }
    this.databases.push(await createTestDatabase());
    await restore(this.sql, this.home, backup.path);
    await eraseDue({ sql: this.sql, now: () => new Date(), config: { home: this.home } });
    this.sent = [...backup.sent];
    const back = backup.rows.filter(({ table, row }) => table === 'users' && row['erased_at'] === null);
    await this.check(
      backup.rows,
      this.gone.filter(({ id }) => back.some(({ row }) => row['id'] === id)),
    );
  }

  /** @param erased who was there before and is not any more */
  private async check(before: Rows, erased: readonly Person[]): Promise<void> {
    const after = await snapshot(this.sql);
    const ids = new Set(this.gone.map(({ id }) => id));
    const lines = this.linesOf(before, erased);
    expect(missing(ofOthers(before, ids, lines), ofOthers(after, ids, lines))).toEqual([]);
    expect(quoted(after, this.here, ids)).toEqual(quoted(before, this.here, ids));
    expect([...this.linesOf(after, erased)].filter((line) => lines.has(line))).toEqual([]);
    for (const { id, mark, telegramId } of this.gone) {
      expect(await tablesWith(this.sql, mark)).toEqual({});
      const account = await this.sql`
        select from users where id = ${id} and (erased_at is null or display_name <> 'Erased person') or telegram_user_id = ${telegramId}`;
      expect(account).toHaveLength(0);
      expect(await this.sql`select from sessions where user_id = ${id}`).toHaveLength(0);
    }
    for (const { id, name } of this.here)
      expect(await this.sql`select display_name as name from users where id = ${id}`).toEqual([{ name }]);
  }

  /** Whatever was sent is answered again, and done by nobody twice. */
  private async repeat(): Promise<void> {
    for (const command of this.sent) {
      if (this.gone.some(({ id }) => id === command.userId)) continue;
      const run = () => Promise.reject(new Error(`${command.route} was done again`));
      expect(await once(this.sql, command, new Date(), { run, toStore: (json) => json })).toMatchObject({
        replayed: true,
      });
    }
  }
}

test.each(Array.from({ length: HISTORIES }, (_, nth) => SEED + nth))(
  'an erasure changes nobody else’s row and no restore brings anybody back, whatever people are called (history %d)',
  (seed) => new History(seed).play(),
);
