import type { ISql } from 'postgres';

/** The community that a group or channel belongs to; null for one that is no community's. */
export async function communityOfChat(_sql: ISql, _chatId: number): Promise<string | null> {
  return null;
}
