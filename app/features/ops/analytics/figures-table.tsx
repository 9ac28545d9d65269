import './figures-table.css';
import type { ReactNode } from 'react';
import { m } from '../../../paraglide/messages.js';

type Cell = { key: string; shown: ReactNode };
export type FigureRow = { key: string; name: ReactNode; cells: readonly ReactNode[] };

/** A chart's data as a table: the first column names the row, the others are numbers. Collapsed below a chart. */
export function FiguresTable(props: { name: string; columns: readonly string[]; rows: readonly FigureRow[] }) {
  return (
    <details className="disclosure figures-folded">
      <summary className="text-small">{m.analytics_table()}</summary>
      <PlainTable {...props} />
    </details>
  );
}

export function PlainTable({
  name,
  columns,
  rows,
}: {
  name: string;
  columns: readonly string[];
  rows: readonly FigureRow[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
    <section className="figures-frame" tabIndex={0} aria-label={m.analytics_of_table({ name })}>
      <table className="figures-table">
        <caption className="visually-hidden">{name}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.name}</th>
              {cellsOf(row, columns).map(({ key, shown }) => (
                <td key={key} className="numeric">
                  {shown}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const cellsOf = ({ cells }: FigureRow, columns: readonly string[]): Cell[] =>
  cells.map((shown, at) => ({ key: columns[at + 1] ?? '', shown }));
