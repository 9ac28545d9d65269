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
  /** From the network's return to the last entry stored; null when that did not come. */
  seconds: number | null;
  /** Why the case could not be played. */
  trouble?: string;
};

/** One line a case, as Markdown. */
export function table(rows: readonly Row[]): string {
  const head = ['case', 'raised', 'stored', 'lost', 'stored twice', "other member's", 'seconds to drain'];
  const body = rows.map(({ name, raised, stored, dropped, lost, twice, foreign, seconds, trouble }) => [
    name,
    String(raised),
    dropped > 0 ? `${stored} + ${dropped} counted` : String(stored),
    String(lost),
    String(twice),
    String(foreign),
    trouble ? 'not played' : (seconds?.toFixed(2) ?? 'never'),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...body.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...body.map(line)].join('\n');
}
