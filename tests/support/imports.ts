import type { Sql } from 'postgres';
import type { ImportProblem, ImportQuery } from '../../server/contract/imports.ts';
import { upsertPerson } from '../../server/features/auth/people.ts';
import { joinCommunity } from '../../server/features/communities/membership.ts';
import { runImport, undoImport } from '../../server/features/imports/imports.ts';
import { judge } from '../../server/features/imports/judge.ts';
import { readFile } from '../../server/features/imports/read-file.ts';
import { settleImports } from '../../server/features/imports/settle.ts';
import { acceptOffer, declineOffer, listOffers } from '../../server/features/offers/offers.ts';
import type { StagedCommunity } from './engagement.ts';

/** A file with what is asked of it. */
export type ImportFile = ImportQuery & { text: string };

/** Lets a place move in as many people as fit, as an administrator does. */
export const allowMany = (sql: Sql, { id }: StagedCommunity) =>
  sql`update communities set large_imports_at = now() where id = ${id}`;

/** A file of members under the names of its columns. */
export const peopleFile = (lines: readonly string[], more: Partial<ImportFile> = {}): ImportFile => ({
  kind: 'people',
  name: 'members.csv',
  text: `${lines.join('\n')}\n`,
  ...more,
});

/** What a file says by itself. `xPoints`: whether tasks at X give points. */
export const readOf = ({ text, ...asked }: ImportFile, now: Date, xPoints = false) =>
  readFile({ bytes: new TextEncoder().encode(text), query: asked, now, xPoints });

/** Moving in as the leader of a place does it; `now` is the server's clock. */
export function mover(sql: Sql, place: StagedCommunity, now: () => Date = () => new Date()) {
  const leader = () => ({ communityId: place.id, userId: place.leader, now: now() });
  const dryRun = async ({ text, ...asked }: ImportFile) =>
    (await judge(sql, leader(), asked, await readOf({ text, ...asked }, now()))).check;
  return {
    dryRun,
    /** The lines of a dry run by problem. */
    async problems(file: ImportFile): Promise<Partial<Record<ImportProblem, number[]>>> {
      const { findings } = await dryRun(file);
      return Object.fromEntries(findings.map(({ problem, lines }) => [problem, lines]));
    },
    async run({ text, ...asked }: ImportFile) {
      const read = await readOf({ text, ...asked }, now());
      return sql.begin((tx) => runImport(tx, leader(), asked, read));
    },
    undo: (importId: string) => sql.begin((tx) => undoImport(tx, { ...leader(), importId })),
    settle: () => settleImports({ sql, now }),
    /** Somebody joins by their own act, as with an invite. */
    async join(userId: string): Promise<string> {
      await sql.begin((tx) => joinCommunity(tx, { communityId: place.id, userId, now: now(), invited: true }));
      return userId;
    },
    offers: (userId: string) => listOffers(sql, { userId, now: now() }),
    accept: (userId: string) => sql.begin((tx) => acceptOffer(tx, { userId, now: now() }, place.id)),
    decline: (userId: string) => sql.begin((tx) => declineOffer(tx, { userId, now: now() }, place.id)),
  };
}

/** Telegram says who somebody is, as at each sign-in; answers the account's id. */
export async function signIn(
  sql: Sql,
  telegramUserId: number,
  username: string | null,
  now = new Date(),
): Promise<string> {
  const user = await sql.begin((tx) =>
    upsertPerson(
      tx,
      { telegramUserId: String(telegramUserId), username, displayName: username ?? `Person ${telegramUserId}` },
      null,
      now,
    ),
  );
  await sql`
    insert into sessions (token_hash, user_id, kind, telegram_at, expires_at)
    values (sha256(gen_random_uuid()::text::bytea), ${user.id}, 'web', ${now}, ${now}::timestamptz + interval '1 day')`;
  return user.id;
}
