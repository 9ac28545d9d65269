import './board-rows.css';
import type { Ref } from 'react';
import type { BoardRow } from '../../../server/contract/boards.ts';
import { day, isSameDay, number, signed, timeOfDay } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { PersonAvatar } from '../../ui/avatar.tsx';
import { type Tie, tieOf } from './board.ts';

/** Ranks 1 to 3 are drawn in ink. */
const TOP_RANKS = 3;

/** The day is enough, except today, where the time matters. */
const reachedWord = (at: string): string => (isSameDay(at, Date.now()) ? timeOfDay(at) : day(at));
/** Imported points predate everything here and have no date. */
const gotThereWord = (at: string): string =>
  Date.parse(at) === 0 ? m.import_board_moved_in() : m.member_board_got_there({ date: reachedWord(at) });

function classesOf(row: BoardRow, tie: Tie, above: BoardRow | undefined): string {
  const classes = [row.me ? 'board-rows__row--me' : '', tie ? `board-rows__row--tie-${tie}` : ''];
  // No hairline inside a tie, nor along the member's row, whose background already ends it.
  if (tie === 'mid' || tie === 'last' || row.me || above?.me) classes.push('board-rows__row--tie-next');
  return classes.filter(Boolean).join(' ');
}

/**
 * Rows of a leaderboard. Ties share a brace and say who got there first; points that only this device has are shown
 * apart from the member's total.
 */
export function BoardRows(props: {
  rows: readonly BoardRow[];
  label: string;
  pencilPoints?: number;
  meRef?: Ref<HTMLLIElement>;
}) {
  const pencil = props.pencilPoints ?? 0;
  return (
    <ol className="board-rows" aria-label={props.label}>
      {props.rows.map((row, index) => {
        const tie = tieOf(props.rows, index);
        return (
          <li
            key={row.userId}
            className={classesOf(row, tie, props.rows[index - 1])}
            {...(row.me && { 'aria-current': 'true', ref: props.meRef })}
          >
            {tie && <span className="board-rows__brace" />}
            <span className={row.rank <= TOP_RANKS ? 'board-rows__rank board-rows__rank--top' : 'board-rows__rank'}>
              {number(row.rank)}
            </span>
            <PersonAvatar name={row.displayName} />
            <span className="board-rows__name">
              <b>{row.me ? m.member_you() : row.displayName}</b>
              {tie && <span>{gotThereWord(row.reachedAt)}</span>}
            </span>
            <span className="board-rows__points">
              {number(row.points)}
              {row.me && pencil > 0 && (
                <span className="pencil board-rows__pencil">{m.member_pencil_points({ points: signed(pencil) })}</span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
