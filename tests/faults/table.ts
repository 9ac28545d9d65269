export type Row = {
  engine: string;
  name: string;
  raised: number;
  stored: number;
  /** Over the cap, and told to the server. */
  dropped: number;
  lost: number;
  twice: number;
  foreign: number;
  /** From the network's return to the last entry stored; null when that did not come in time. */
  seconds: number | null;
  /** From the network's return to the first write that went out after it; null when none had to. */
  first: number | null;
  /** Seconds until the screen said what is true of what was pressed; null when it did not in time. Only of some cases. */
  mark?: number | null;
  /** Why the case failed to be played. */
  trouble?: string;
  /** Why this engine cannot play the case. */
  unable?: string;
};

const drained = ({ seconds, trouble }: Row) => (trouble ? 'error' : (seconds?.toFixed(2) ?? '> 40'));

/** One line a case, as Markdown. */
export function table(rows: readonly Row[]): string {
  const head = [
    'case',
    'raised',
    'stored',
    'lost',
    'stored twice',
    "other member's",
    'first after',
    'seconds to drain',
  ];
  if (rows.some(({ mark }) => mark !== undefined)) head.push('screen true after');
  return markdown(
    head,
    rows.map((row) =>
      row.unable
        ? [row.name, ...Array.from({ length: 6 }, () => '–'), `not played: ${row.unable}`]
        : [
            row.name,
            String(row.raised),
            row.dropped > 0 ? `${row.stored} + ${row.dropped} counted` : String(row.stored),
            String(row.lost),
            String(row.twice),
            String(row.foreign),
            row.first?.toFixed(2) ?? '',
            drained(row),
            ...(row.mark === undefined ? [] : [row.mark?.toFixed(1) ?? 'never']),
          ],
    ),
  );
}

function markdown(head: readonly string[], body: readonly string[][]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...body.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...body.map(line)].join('\n');
}
