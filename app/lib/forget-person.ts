import { device } from './device.ts';
import { forgetHints, lastMember } from './hints.ts';
import { purgePrivate } from './service-worker.ts';

const done = new Set<string>();

/**
 * The server says that a session's person is being erased: everything that this device keeps of them goes, what is not sent yet
 * included. Somebody else who uses it meanwhile keeps theirs.
 * @param details of the refusal: `{ userId }`
 */
export async function forgetPerson(details: unknown): Promise<void> {
  const userId = (details as { userId?: unknown } | null)?.userId;
  if (typeof userId !== 'string' || done.has(userId)) return;
  done.add(userId);
  const last = lastMember();
  if (last === null || last === userId) forgetHints();
  await Promise.all([device.forget(userId), purgePrivate()]).catch(() => {
    // What could not be thrown away now is the next time.
    done.delete(userId);
  });
}
