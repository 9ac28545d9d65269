import { describe, expect, it } from 'vitest';
import { sectionsOf, tieOf } from '../../../app/shared/boards/board.ts';
import { rowOf } from './support.ts';

describe('ties', () => {
  const rows = [rowOf(1), rowOf(2), rowOf(2, { userId: 'x' }), rowOf(2, { userId: 'y' }), rowOf(5)];
  it('joins rows of one rank from the first to the last', () => {
    expect(rows.map((_, index) => tieOf(rows, index))).toEqual([null, 'first', 'mid', 'last', null]);
  });
});

describe('the board in sections', () => {
  const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => rowOf(from + index));

  it('is one list when everybody fits in the top', () => {
    expect(sectionsOf({ top: rows(1, 7), around: rows(2, 6) })).toEqual({ top: rows(1, 7), gap: null, around: [] });
  });

  it('names the ranks between the top and my neighbourhood', () => {
    const sections = sectionsOf({ top: rows(1, 7), around: rows(19, 24) });
    expect(sections.gap).toEqual({ from: 8, to: 18 });
    expect(sections.around.map((row) => row.rank)).toEqual([19, 20, 21, 22, 23, 24]);
  });

  it('continues the top where my neighbourhood touches or overlaps it, showing nobody twice', () => {
    expect(sectionsOf({ top: rows(1, 7), around: rows(5, 12) }).top).toEqual(rows(1, 12));
    expect(sectionsOf({ top: rows(1, 7), around: rows(8, 12) })).toEqual({ top: rows(1, 12), gap: null, around: [] });
  });

  it('is empty without points', () => {
    expect(sectionsOf({ top: [], around: [] })).toEqual({ top: [], gap: null, around: [] });
  });
});
