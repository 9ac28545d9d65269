import type { ISql } from 'postgres';
import type { AnalyticsTable } from '../../contract/analytics.ts';
import type { Line } from '../exports/table.ts';
import type { AnalyticsScope } from './asked.ts';
import { widgets } from './widgets.ts';

type Table = { columns: readonly string[]; lines: readonly Line[] };

const table = (columns: readonly string[], lines: readonly Line[]): Table => ({ columns, lines });

/** Each part of the screen as a table, with the range and counts that the screen shows. */
export const tables: { [T in AnalyticsTable]: (sql: ISql, scope: AnalyticsScope) => Promise<Table> } = {
  async people(sql, scope) {
    const { days, weeks, months } = await widgets.people(sql, scope);
    const spans = { day: days, week: weeks, month: months };
    return table(
      ['span', 'starts', 'people'],
      Object.entries(spans).flatMap(([span, counts]) => counts.map((one) => ({ span, ...one }))),
    );
  },
  async retention(sql, scope) {
    const { cohorts } = await widgets.retention(sql, scope);
    return table(
      ['from', 'people', 'day1_due', 'day1_back', 'day7_due', 'day7_back', 'day30_due', 'day30_back'],
      cohorts.map(({ from, people, day1, day7, day30 }) => ({
        from,
        people,
        day1_due: day1.due,
        day1_back: day1.back,
        day7_due: day7.due,
        day7_back: day7.back,
        day30_due: day30.due,
        day30_back: day30.back,
      })),
    );
  },
  funnel: async (sql, scope) => table(['step', 'count'], (await widgets.funnel(sql, scope)).steps),
  reviews: async (sql, scope) =>
    table(['fromMinutes', 'toMinutes', 'count'], (await widgets.reviews(sql, scope)).buckets),
  push: async (sql, scope) =>
    table(['day', 'sent', 'gone', 'failed', 'shown', 'opened'], (await widgets.push(sql, scope)).days),
  installs: async (sql, scope) => table(['day', 'installs'], (await widgets.installs(sql, scope)).days),
  offline: async (sql, scope) => table(['day', 'made', 'late'], (await widgets.offline(sql, scope)).days),
  tasks: async (sql, scope) =>
    table(['taskId', 'title', 'community', 'made', 'approved', 'refused'], (await widgets.tasks(sql, scope)).tasks),
};
