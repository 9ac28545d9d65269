import { expect, it } from 'vitest';
import { upsertPerson } from '../../server/features/auth/people.ts';
import { startSandbox } from '../../server/sandbox/sandbox.ts';
import { sandboxEnvironment } from '../../server/sandbox/settings.ts';
import { identityFor } from '../../server/storage/embedded/identity.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { isRoot } from '../support/storage-processes.ts';

const server = await ofFile(testServer({ sandbox: false }));

it('a username that changed hands is shown for who signed in with it last', async () => {
  const signIn = (telegramUserId: string, username: string | null) =>
    server.sql.begin((tx) =>
      upsertPerson(tx, { telegramUserId, username, displayName: `P${telegramUserId}` }, null, new Date()),
    );
  const shown = async () =>
    (
      await server.sql`select telegram_username as name from users where telegram_user_id in (11, 12, 13) order by telegram_user_id`
    ).map(({ name }) => name);
  await signIn('11', 'ada_l');
  await signIn('12', 'grace');
  expect(await shown()).toEqual(['ada_l', 'grace']);
  expect(await signIn('12', 'Ada_L')).toMatchObject({ telegramUsername: 'Ada_L' });
  expect(await shown()).toEqual([null, 'Ada_L']);
  await signIn('13', null);
  expect(await shown()).toEqual([null, 'Ada_L', null]);
  await signIn('11', 'ada_l');
  expect(await shown()).toEqual(['ada_l', null, null]);
});

it.each([
  [30_000, true],
  [-30_000, true],
  [3_600_000, false],
])('an id token of a provider whose clock is %i ms ahead is taken: %s', async (aheadMs, isTaken) => {
  const sandbox = await startSandbox({ port: 0, now: () => new Date(Date.now() + aheadMs) });
  const env = sandboxEnvironment(sandbox.url);
  const own = await testServer({ sandbox: false, env });
  try {
    if (isTaken) expect(await own.signIn(1001)).toMatch(/^sid=/);
    else await expect(own.signIn(1001)).rejects.toThrow(/SIGN_IN_REFUSED/);
  } finally {
    await own.close();
    await sandbox.close();
  }
});

if (isRoot) {
  const accounts = 'nobody:x:65534:65534::/nonexistent:/bin/sh\n';

  it('each home has a number of its own that its database runs as, and keeps it', () => {
    const uidFor = (home: string) => identityFor(home, accounts).server.uid;
    const uids = Array.from({ length: 12 }, (_, n) => uidFor(`/nowhere/muster-${n}`));
    expect(new Set(uids).size).toBeGreaterThan(8);
    for (const uid of uids) expect(uid).toBeGreaterThan(60_000);
    expect(uidFor('/nowhere/muster-3')).toBe(uids[3]);
  });

  it('where the machine has a user muster, the database of a new home runs as that', () => {
    const muster = { uid: 998, gid: 997 };
    expect(identityFor('/nowhere/muster', `${accounts}muster:x:998:997::/opt/muster:/bin/sh\n`)).toEqual({
      server: muster,
      initialise: muster,
    });
  });
}
