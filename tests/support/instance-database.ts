import { expect } from 'vitest';
import { openStorage, type Storage } from '../../server/storage/open.ts';
import type { Instance } from './instance.ts';

/** The database of an instance, beside its own process; whoever opens it closes it. */
export const databaseOf = (instance: Instance): Promise<Storage> =>
  openStorage(
    { databaseUrl: process.env['DATABASE_URL'] ?? null, home: instance.home },
    { info: () => undefined, warn: () => undefined },
  );

/** Gives somebody who has signed in before a role on the instance, as the command does for its operator. */
export async function makeStaff(instance: Instance, telegramUserId: string, role: 'ops' | 'admin'): Promise<void> {
  const storage = await databaseOf(instance);
  const { count } = await storage.sql`update users set role = ${role} where telegram_user_id = ${telegramUserId}`;
  await storage.close();
  expect(count).toBe(1);
}
