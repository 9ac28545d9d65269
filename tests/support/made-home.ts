import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../server/storage/migrate.ts';
import { openStorage } from '../../server/storage/open.ts';

let made: Promise<string> | undefined;

/** Makes `home` that of an instance which was started before: its database has the schema, and nobody is in it. */
export async function fillHome(home: string): Promise<void> {
  made ??= firstStart();
  // As `cp` copies it: with the owner of the database's files, and by reference where the disk can.
  execFileSync('cp', ['-a', `${await made}/.`, home]);
}

async function firstStart(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'muster-made-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const storage = await openStorage({ databaseUrl: null, home }, { info() {}, warn() {} });
  await migrate(storage.sql);
  await storage.close();
  return home;
}
