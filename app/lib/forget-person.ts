import { device } from './device.ts';
import { forgetHints, lastMember } from './hints.ts';
import { purgePrivate } from './service-worker.ts';

const done = new Set<string>();

/**
 * The server is erasing the session's person: this device deletes all their data, unsent commands included. The data of
 * anyone else who uses the device now stays.
 * @param details of the refusal: `{ userId }`
 */
export async function forgetPerson(details: unknown): Promise<void> {
  const userId = (details as { userId?: unknown } | null)?.userId;
  if (typeof userId !== 'string' || done.has(userId)) return;
  done.add(userId);
  const last = lastMember();
  if (last === null || last === userId) forgetHints();
  await Promise.all([device.forget(userId), purgePrivate()]).catch(() => {
    // A deletion that failed is tried again at the next refusal.
    done.delete(userId);
  });
}
