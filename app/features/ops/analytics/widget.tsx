import './widget.css';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { AnalyticsTable } from '../../../../server/contract/analytics.ts';
import { useAsOf, useUser } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Card } from '../../../ui/card.tsx';
import { ExportLink } from '../../../ui/export-link.tsx';
import { AsOf } from '../../../ui/stamp.tsx';
import { Reading, State } from '../../../ui/states.tsx';
import { NotAnOperator } from '../not-an-operator.tsx';
import { type AnalyticsRange, exportPath } from './range.ts';

type Read<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;

/**
 * One section of the page: a dated heading, its chart, and a file of the data. It loads separately, so a failure leaves
 * the others. `note` explains how to read the numbers.
 */
export function Widget<T>(props: {
  name: string;
  table: AnalyticsTable;
  range: AnalyticsRange;
  query: Read<T>;
  queryKey: readonly unknown[];
  note?: string;
  children: (data: T) => ReactNode;
}) {
  const { name, table, range, query, queryKey, note } = props;
  const user = useUser();
  const asOf = useAsOf(queryKey);
  const id = useId();
  return (
    <section aria-labelledby={id} id={table}>
      <Card className="widget">
        <div className="widget__head">
          <h2 id={id}>{name}</h2>
          <AsOf at={asOf} onRetry={() => query.refetch()} />
          <ExportLink kind="words" to={exportPath(table, range)} label={m.analytics_csv_of({ name })}>
            {m.analytics_csv()}
          </ExportLink>
        </div>
        <Reading
          query={query}
          skeleton={<div className="widget__skeleton" aria-busy="true" />}
          forbidden={<NotAnOperator telegramUserId={user?.telegramUserId ?? null} />}
          missing={
            <State title={m.analytics_missing_community()}>
              <p>{m.analytics_missing_community_line()}</p>
            </State>
          }
        >
          {props.children}
        </Reading>
        {note && <p className="widget__note text-tiny text-muted">{note}</p>}
      </Card>
    </section>
  );
}

/** A sentence that states the chart's message. */
export const Line = ({ children }: { children: ReactNode }) => <p className="text-small text-muted">{children}</p>;

/** An empty chart, and why. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="widget__nothing text-small text-muted">{children}</p>
);
