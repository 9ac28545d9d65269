import type { ISql } from 'postgres';

export type Found = { id: string; name: string };

/** Accounts that match an account id, a Telegram id or an @name; mostly one. */
export async function findPeople(sql: ISql, meant: string): Promise<Found[]> {
  const word = meant.trim();
  if (word === '') return [];
  return sql<Found[]>`
    select id, display_name as name from users
    where erased_at is null and (id::text = ${word.toLowerCase()} or telegram_user_id::text = ${word}
      or starts_with(${word}, '@') and lower(telegram_username) = ${word.slice(1).toLowerCase()})
    order by created_at, id limit 5`;
}
