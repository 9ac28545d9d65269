import type { Sql } from 'postgres';
import type { ImportFile, ImportProblem } from '../../server/contract/imports.ts';
import { upsertPerson } from '../../server/features/auth/people.ts';
import { runImport, undoImport } from '../../server/features/imports/imports.ts';
import { judge } from '../../server/features/imports/judge.ts';
import { settleImports } from '../../server/features/imports/settle.ts';
import type { Place } from './engagement.ts';

/** A file of members under the names of its columns. */
export const peopleFile = (lines: readonly string[], more: Partial<ImportFile> = {}): ImportFile => ({
  kind: 'people',
  name: 'members.csv',
  text: `${lines.join('\n')}\n`,
  ...more,
});

/** Moving in as the leader of a place does it; `now` is the server's clock. */
export function mover(sql: Sql, place: Place, now: () => Date = () => new Date()) {
  const leader = () => ({ communityId: place.id, userId: place.leader, now: now() });
  return {
    dryRun: async (file: ImportFile) => (await judge(sql, leader(), file)).check,
    /** The lines of a dry run by problem. */
    async problems(file: ImportFile): Promise<Partial<Record<ImportProblem, number[]>>> {
      const { findings } = (await judge(sql, leader(), file)).check;
      return Object.fromEntries(findings.map(({ problem, lines }) => [problem, lines]));
    },
    run: (file: ImportFile) => sql.begin((tx) => runImport(tx, leader(), file)),
    undo: (importId: string) => sql.begin((tx) => undoImport(tx, { ...leader(), importId })),
    settle: () => settleImports({ sql, now }),
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
