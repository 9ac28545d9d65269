import type { TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { skeleton } from '../../domain/look-alikes.ts';

/** What a community's name looks like, unique among all; null for one of signs alone, which looks like many. */
export const lookOf = (name: string): string | null => skeleton(name) || null;

export const nameTaken = (name: string): HttpError =>
  new HttpError(409, 'NAME_TAKEN', `Another community is called ${name}, or so that it looks the same.`, {
    details: { name },
  });

/** Throws 409 `NAME_TAKEN` where another community's name looks like this one. */
export async function requireOwnName(tx: TransactionSql, communityId: string, name: string): Promise<void> {
  const [other] = await tx`
    select from communities where name_look = ${lookOf(name)} and id <> ${communityId}`;
  if (other) throw nameTaken(name);
}
