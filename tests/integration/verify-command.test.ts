import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entrantsHash, RAFFLE_METHOD, raffle } from '../../server/domain/draw.ts';
import { recordPoints } from '../../server/features/awards/record.ts';
import { exportLedger, publicKeyOf } from '../../server/features/ledger/export.ts';
import { ledgerKey } from '../../server/storage/secrets.ts';
import { buildServer } from '../support/built-server.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { startProcess } from '../support/storage-processes.ts';

const home = folderOfFile();
const elsewhere = join(home, 'elsewhere');
mkdirSync(elsewhere);
const [db, built] = await Promise.all([
  ofFile(createTestDatabase()),
  ofFile(buildServer({ muster: 'server/cli/muster.ts' })),
]);

/** What the command says and how it ends. */
async function muster(args: string[], env: Record<string, string> = {}) {
  const { ended, lines } = startProcess(join(built.directory, 'muster.js'), {
    env: { MUSTER_HOME: home, DATABASE_URL: db.url, ...env },
    args,
  });
  const code = await ended;
  return { code, said: lines.map((line) => line['text']).join('\n') };
}
const file = (text: string) => {
  const path = join(home, `${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`);
  writeFileSync(path, text);
  return path;
};

/** A key whose public half begins as options do, which one of 64 does. */
function dashedKey(): string {
  for (;;) {
    const { privateKey } = generateKeyPairSync('ed25519');
    if (publicKeyOf(privateKey).publicKey.startsWith('-'))
      return String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  }
}

describe('the published command', () => {
  it('exports a person into a file of its own, erases them, and says what it did not do', async () => {
    const on = stage(db.sql);
    const place = await on.community();
    const userId = await on.member(place.id, 'Edda Erased');
    await db.sql`update users set telegram_username = 'edda' where id = ${userId}`;
    const path = join(home, 'edda.zip');
    const exported = await muster(['person', 'export', '@Edda', '-o', path]);
    expect(exported).toMatchObject({ code: 0, said: expect.stringContaining('everything about Edda Erased') });
    const zip = readFileSync(path);
    expect(zip.subarray(0, 2).toString()).toBe('PK');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    // Never over a file that is there, and nobody by another name.
    expect((await muster(['person', 'export', userId, '-o', path])).code).toBe(1);
    expect(readFileSync(path).equals(zip)).toBe(true);
    expect((await muster(['person', 'erase', '@nobody'])).said).toContain('No one here is @nobody');

    const asked = await muster(['person', 'erase', '@edda', '--reason', 'By letter']);
    expect(asked).toMatchObject({ code: 0, said: expect.stringContaining('unless they sign in before') });
    expect((await muster(['person', 'keep', '@edda'])).said).toContain('stays');
    expect((await muster(['person', 'erase', '@edda', '--now'])).said).toContain(`${userId} has been erased`);
    const [row] =
      await db.sql`select display_name as name, telegram_username as telegram from users where id = ${userId}`;
    expect(row).toEqual({ name: 'Erased person', telegram: null });
    expect((await muster(['person', 'keep', userId])).code).toBe(1);
  });

  it('restores a backup only beside a list of erasures, and erases who is on it before it is over', async () => {
    const on = stage(db.sql);
    const userId = await on.member((await on.community()).id, 'Back From Before');
    const folder = mkdtempSync(join(home, 'backups-'));
    const backup = join(folder, 'nightly');
    expect((await muster(['backup', backup])).code).toBe(0);
    expect((await muster(['person', 'erase', userId, '--now'])).code).toBe(0);
    rmSync(`${backup}.erasures`);
    const fresh = await createEmptyDatabase();
    try {
      const there = { DATABASE_URL: fresh.url, MUSTER_HOME: join(folder, 'new') };
      const refused = await muster(['restore', backup], there);
      expect(refused).toMatchObject({
        code: 1,
        said: expect.stringMatching(/no list of erasures[\s\S]*--without-erasures/),
      });
      expect(await fresh.sql`select from pg_class where relname = 'users'`).toHaveLength(0);
      expect((await muster(['backup', backup, '--erasures', 'x'], there)).code).toBe(64);

      const done = await muster(['restore', backup, '--erasures', join(home, 'erasures')], there);
      expect(done).toMatchObject({ code: 0, said: expect.stringMatching(/known up to .* UTC, 1 person erased again/) });
      const [row] = await fresh.sql`select display_name as name from users where id = ${userId}`;
      expect(row).toEqual({ name: 'Erased person' });
      const audited =
        await fresh.sql`select from audit_entries where action = 'person.erased' and subject_id = ${userId}`;
      expect(audited).toHaveLength(1);
    } finally {
      await fresh.drop();
    }
  });

  it('verifies an exported ledger here and elsewhere, and refuses a changed one', async () => {
    const on = stage(db.sql);
    const place = await on.community();
    const member = await on.member(place.id, 'Ada');
    const now = new Date();
    await db.sql.begin((tx) =>
      recordPoints(tx, now, [{ communityId: place.id, userId: member, kind: 'adjust', points: 42, actorId: null }]),
    );
    writeFileSync(join(home, 'ledger-key.pem'), dashedKey(), { mode: 0o600 });
    const key = ledgerKey(home);
    expect(publicKeyOf(key).publicKey).toMatch(/^-/);
    const issuer = 'https://muster.example';
    const text = await exportLedger(db.sql, { member: { id: member, name: 'Ada' }, issuer, key, now });
    const good = await muster(['ledger', 'verify', file(text)]);
    expect(good).toEqual({ code: 0, said: expect.stringContaining('Ada has 42 points from 1 entry.') });
    const changed = await muster(['ledger', 'verify', file(text.replace('"points":42', '"points":43'))]);
    expect(changed).toEqual({ code: 1, said: expect.stringContaining('REFUSED') });
    const there = await muster(['ledger', 'verify', file(text), publicKeyOf(key).publicKey], {
      MUSTER_HOME: elsewhere,
    });
    expect(there.code).toBe(0);
    const other = publicKeyOf(generateKeyPairSync('ed25519').privateKey);
    expect(await muster(['ledger', 'verify', file(text), other.publicKey])).toEqual({
      code: 1,
      said: expect.stringMatching(`says that the key ${publicKeyOf(key).keyId} signed it, not ${other.keyId}`),
    });
    expect(await muster(['ledger', 'verify', file(text), 'nonsense'])).toEqual({
      code: 1,
      said: expect.stringContaining('“nonsense” is no key. Name the publicKey'),
    });
    // Where there is no instance, nothing is made up to compare with: that a true file was changed would be a lie.
    expect(await muster(['ledger', 'verify', file(text)], { MUSTER_HOME: elsewhere })).toEqual({
      code: 1,
      said: expect.stringContaining('there is no key here to verify it with. Name the publicKey'),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect((await muster(['ledger', 'verify', join(home, 'none.json')])).code).toBe(1);
  });

  it('compares the ledger with its boards and says where they differ', async () => {
    expect(await muster(['ledger', 'check'])).toEqual({ code: 0, said: expect.stringContaining('agree') });
    await db.sql`update scores set points = points + 1`;
    const found = await muster(['ledger', 'check']);
    expect(found).toEqual({ code: 1, said: expect.stringContaining('kept 43, counted 42') });
    await db.sql`update scores set points = points - 1`;
  });

  it('draws a raffle again', async () => {
    const entrants = ['a', 'b', 'c'].map((userId) => ({ userId, tickets: 1 }));
    const seed = Buffer.alloc(32, 1);
    const draw = {
      format: 'muster-raffle-1',
      reward: { id: 'r', name: 'A mug', places: 1 },
      method: RAFFLE_METHOD,
      seed: seed.toString('hex'),
      seedHash: createHash('sha256').update(seed).digest('hex'),
      entrantsHash: entrantsHash(entrants),
      entrants,
      winners: raffle(entrants, 1, seed),
    };
    expect((await muster(['raffle', 'verify', file(JSON.stringify(draw))])).code).toBe(0);
    const hostile = { ...draw, reward: { ...draw.reward, name: '\u001b[2J\nREFUSED' } };
    expect((await muster(['raffle', 'verify', file(JSON.stringify(hostile))])).said).toMatch(
      /^1 winner of “\\u001b\[2J\\nREFUSED” /,
    );
    const other = { ...draw, winners: ['a', 'b', 'c'].filter((id) => id !== draw.winners[0]).slice(0, 1) };
    expect((await muster(['raffle', 'verify', file(JSON.stringify(other))])).said).toContain('other winners');
  });
});
