import type { PlainPart } from './policies.ts';

/** A line that stayed, was added, or was removed. */
export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string };
export type DiffPart = { title: string; lines: DiffLine[] };

/** Line diff of two texts: their longest common subsequence, with additions and removals between. */
export function diffLines(before: readonly string[], now: readonly string[]): DiffLine[] {
  // lengths[i][j]: longest common subsequence from `before[i]` and `now[j]` on.
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row) row[j] = before[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < now.length) {
    const [old, fresh] = [before[i], now[j]];
    if (old !== undefined && old === fresh) {
      lines.push({ kind: 'same', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: old });
      i += 1;
    } else if (fresh !== undefined) {
      lines.push({ kind: 'added', text: fresh });
      j += 1;
    }
  }
  return lines;
}

/** Changes between two versions by section; unchanged sections are left out. */
export function diffPolicy(before: readonly PlainPart[], now: readonly PlainPart[]): DiffPart[] {
  const titles = diffLines(
    before.map(({ title }) => title),
    now.map(({ title }) => title),
  );
  const linesOf = (parts: readonly PlainPart[], title: string) =>
    parts.find((part) => part.title === title)?.lines ?? [];
  return titles
    .map(({ text }) => ({ title: text, lines: diffLines(linesOf(before, text), linesOf(now, text)) }))
    .filter(({ lines }) => lines.some(({ kind }) => kind !== 'same'));
}
