/** The chapter on pgBackRest in docs/operations/backups.md, played with Debian's programs on a cluster of its own. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connectTo } from '../../server/storage/connect.ts';
import { migrate } from '../../server/storage/migrate.ts';

const PROGRAMS = ['/usr/lib/postgresql/15/bin/pg_ctl', '/usr/bin/pgbackrest', '/usr/sbin/runuser'];
const missing = PROGRAMS.filter((path) => !existsSync(path));
const PORT = 56_432;

const folder = mkdtempSync(join(tmpdir(), 'muster-pitr-'));
const [data, repository, conf] = ['main', 'repository', 'pgbackrest.conf'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const postgres = (command: string, env: Record<string, string> = {}) =>
  execFileSync('runuser', ['-u', 'postgres', '--', 'sh', '-ec', command], {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: `/usr/lib/postgresql/15/bin:${process.env['PATH']}`, PGBACKREST_CONFIG: conf, ...env },
  });
const server = (verb: 'start' | 'stop') =>
  postgres(
    `pg_ctl -D ${data} -w -t 120 -l ${folder}/log ${verb} -m fast`.replace(
      / -m fast$/,
      verb === 'stop' ? ' -m fast' : '',
    ),
  );
const connect = () => connectTo(`postgres://postgres@localhost:${PORT}/postgres?host=${folder}`, { max: 2 });

const chapter =
  readFileSync(new URL('../../docs/operations/backups.md', import.meta.url), 'utf8').split('with pgBackRest\n')[1] ??
  '';
const [config = '', settings = '', once = '', back = ''] = [...chapter.matchAll(/```\w+\n([\s\S]*?)```/g)].map(
  ([, text = '']) => text,
);

afterAll(() => {
  if (existsSync(join(data, 'postmaster.pid'))) server('stop');
  rmSync(folder, { recursive: true, force: true });
});

test('a database is back at the moment before a mistake, by the commands of the page', async () => {
  // A machine without them cannot say that the page is right.
  expect(missing, 'apt-get install pgbackrest postgresql-15').toEqual([]);
  chmodSync(folder, 0o777);
  mkdirSync(repository);
  chmodSync(repository, 0o777);
  const options = `pg1-port=${PORT}\npg1-socket-path=${folder}\nlog-path=${folder}\nlock-path=${folder}/lock\n`;
  writeFileSync(
    conf,
    `${config.replace('/var/lib/pgbackrest', repository).replace('/var/lib/postgresql/15/main', data)}${options}`,
  );
  postgres(`initdb -D ${data} -U postgres --auth=trust >/dev/null`);
  postgres(
    `cat >> ${data}/postgresql.conf <<'END'\n${settings}port = ${PORT}\nlisten_addresses = ''\nunix_socket_directories = '${folder}'\nEND`,
  );
  server('start');
  postgres(once);

  let sql = connect();
  await migrate(sql);
  await sql`insert into users (telegram_user_id, display_name) values (1, 'Ada')`;
  const [row] = await sql<[{ moment: string }]>`select now()::text as moment`;
  await sql`select pg_sleep(0.1)`;
  await sql`update users set display_name = 'A mistake'`;
  await sql`select pg_switch_wal()`;
  await sql.end();

  server('stop');
  postgres(back, { MOMENT: row.moment });
  server('start');
  sql = connect();
  await expect
    .poll(async () => (await sql<[{ is: boolean }]>`select pg_is_in_recovery() as is`)[0].is, { timeout: 60_000 })
    .toBe(false);
  expect(await sql`select display_name as name from users`).toEqual([{ name: 'Ada' }]);
  await sql.end();
});
