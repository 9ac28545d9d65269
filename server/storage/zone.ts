import type { ISql } from 'postgres';

/** The time zone of `users u` at a moment, as a part of a statement (`zone_at` in the schema). */
export const zoneOf = (sql: ISql, at: Date) => sql`zone_at(u, ${at}::timestamptz)`;

/** Columns of `Zones` of `users u`, as text; `at` names a parameter. */
export const zonesText = (at: string): string =>
  `zone_at(u, ${at}::timestamptz) as "timeZone", u.time_zone_before as "zoneBefore", u.time_zone_from as "zoneFrom"`;

/** The same as a part of a statement. */
export const zonesOf = (sql: ISql, at: Date) =>
  sql`${zoneOf(sql, at)} as "timeZone", u.time_zone_before as "zoneBefore", u.time_zone_from as "zoneFrom"`;
