import type { ISql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import type { Runtime } from '../../base/runtime.ts';
import { refuseOutside } from '../../domain/chat-gate.ts';
import { isCheckPending, standingsOf } from './gate.ts';
import { fetchPerson } from './members.ts';

/** Rejects a person whom a chat of the community does not admit, see `refuseOutside`; unknown status is queried. */
export async function refuseEntry(
  { runtime, sql, actor }: { runtime: Runtime; sql: ISql; actor: Actor },
  communityId: string,
): Promise<void> {
  try {
    refuseOutside(await standingsOf(sql, { communityId, userId: actor.userId }), ['enter'], runtime.now());
  } catch (error) {
    if (isCheckPending(error)) void fetchPerson(runtime, communityId, actor).catch(() => undefined);
    throw error;
  }
}
