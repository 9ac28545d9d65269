import type { ISql, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Consent } from '../../contract/person-data.ts';
import { AGREED_TO, type AgreedTo, isCurrent, versionOf } from '../../contract/policies.ts';

/** Every document that people agree to, with what this person agreed to last. */
export async function readConsents(sql: ISql, userId: string): Promise<Consent[]> {
  const rows = await sql<{ document: AgreedTo; version: string; agreedAt: Date }[]>`
    select distinct on (document) document, version, agreed_at as "agreedAt" from consents
    where user_id = ${userId} order by document, agreed_at desc`;
  return AGREED_TO.map((document) => {
    const { version, since } = versionOf(document);
    const last = rows.find((row) => row.document === document);
    return {
      document,
      version,
      since,
      agreed: last ? { version: last.version, at: last.agreedAt.toISOString() } : null,
      isAsked: !last || !isCurrent(document, last.version),
    };
  });
}

/**
 * A person who signs in for the first time agrees to the versions in force, as the text beside the button says. Later
 * material versions are asked for separately.
 */
export async function agreeBySigningIn(tx: TransactionSql, userId: string, now: Date): Promise<void> {
  const versions = AGREED_TO.map((document) => versionOf(document).version);
  await tx`
    insert into consents (user_id, document, version, agreed_at)
    select ${userId}, document, version, ${now} from unnest(${[...AGREED_TO]}::text[], ${versions}::text[]) as d (document, version)
    where not exists (select from consents c where c.user_id = ${userId} and c.document = d.document)
    on conflict do nothing`;
}

/** Records a consent. Throws 409 `NOT_IN_FORCE` for another version: a page of an older build showed another text. */
export async function agree(
  tx: TransactionSql,
  userId: string,
  agreed: readonly { document: AgreedTo; version: string }[],
  now: Date,
): Promise<void> {
  for (const { document, version } of agreed) {
    if (version !== versionOf(document).version)
      throw new HttpError(409, 'NOT_IN_FORCE', 'Another version is in force now. Load the page anew and read it.');
    await tx`
      insert into consents (user_id, document, version, agreed_at) values (${userId}, ${document}, ${version}, ${now})
      on conflict do nothing`;
  }
}
