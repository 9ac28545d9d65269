import type { ISql } from 'postgres';

/**
 * The time zone of `users u` at a moment: one that was chosen counts from the midnight after on. Text; `at` names a
 * parameter.
 */
const zoneText = (at: string): string =>
  `case when u.time_zone_from > ${at}::timestamptz then u.time_zone_before else u.time_zone end`;

/** Columns of `Zones`, as text: that zone, and the one before it with its end. */
export const zonesText = (at: string): string => `
  ${zoneText(at)} as "timeZone",
  case when u.time_zone_from <= ${at}::timestamptz then u.time_zone_before end as "zoneBefore",
  case when u.time_zone_from <= ${at}::timestamptz then u.time_zone_from end as "zoneFrom"`;

/** The same zone as a part of a statement. */
export const zoneOf = (sql: ISql, at: Date) =>
  sql`case when u.time_zone_from > ${at}::timestamptz then u.time_zone_before else u.time_zone end`;

/** The same columns as a part of a statement. */
export const zonesOf = (sql: ISql, at: Date) => sql`
  ${zoneOf(sql, at)} as "timeZone",
  case when u.time_zone_from <= ${at}::timestamptz then u.time_zone_before end as "zoneBefore",
  case when u.time_zone_from <= ${at}::timestamptz then u.time_zone_from end as "zoneFrom"`;
