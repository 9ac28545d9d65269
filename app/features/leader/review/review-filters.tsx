import './review-filters.css';
import { type RefObject, useCallback, useState } from 'react';
import { SEARCH_MAX } from '../../../../server/contract/limits.ts';
import type { WaitingOfTask } from '../../../../server/contract/review.ts';
import type { TaskKind } from '../../../../server/contract/tasks.ts';
import { kindWord } from '../../../kinds/kinds.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { KeyHint } from '../../../ui/key-hint.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import type { Narrowed } from './review-queue.ts';

const KINDS_SHOWN = 4;
const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
const allOf = ({ answers, appeals }: WaitingOfTask) => answers + appeals;

type Props = {
  narrowed: Narrowed;
  waiting: number;
  byTask: readonly WaitingOfTask[];
  typed: string;
  onFind: (text: string) => void;
  onNarrow: (change: { only?: 'appeals' | null; kind?: TaskKind | null; task?: string | null }) => void;
};

/** Filters the queue: all, appeals, a kind, a task, a name. On a phone all but the first two are behind a button. */
export function ReviewFilters(props: Props & { field: RefObject<HTMLInputElement | null> }) {
  const { narrowed, byTask, onNarrow } = props;
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const appeals = sum(byTask.map((task) => task.appeals));
  const everything = { only: null, kind: null, task: null };
  const isAll = narrowed.only === undefined && narrowed.kind === undefined && narrowed.taskId === undefined;
  return (
    <search className="review-filters">
      <div className="review-filters__search only-wide">
        <Icon name="search" />
        <Find {...props} />
        <KeyHint keys="/" />
      </div>
      <Filter isOn={isAll} count={props.waiting} onPress={() => onNarrow(everything)}>
        {m.leader_filter_all()}
      </Filter>
      {(appeals > 0 || narrowed.only) && (
        <Filter
          isOn={narrowed.only === 'appeals'}
          count={appeals}
          onPress={() => onNarrow({ ...everything, only: narrowed.only ? null : 'appeals' })}
        >
          {m.leader_filter_appeals()}
        </Filter>
      )}
      <div className="review-filters__more only-wide">
        <Kinds {...props} />
        <Tasks {...props} />
      </div>
      <button type="button" className="filter-chip only-phone" onClick={() => setOpen(true)}>
        <Icon name="filter" size={16} />
        {m.leader_filter_more()}
      </button>
      <Sheet title={m.leader_filter_title()} open={open} onClose={close}>
        <div className="form-stack">
          <Find {...props} />
          <div className="review-filters__more">
            <Kinds {...props} />
          </div>
          <Tasks {...props} />
          <Button onClick={close}>{m.leader_filter_show()}</Button>
        </div>
      </Sheet>
    </search>
  );
}

function Find({ typed, onFind, field }: Props & { field?: RefObject<HTMLInputElement | null> }) {
  return (
    <input
      ref={field}
      type="search"
      className="field__input"
      aria-label={m.leader_filter_search()}
      aria-keyshortcuts="/"
      placeholder={m.leader_filter_search()}
      maxLength={SEARCH_MAX}
      value={typed}
      onChange={({ currentTarget }) => onFind(currentTarget.value)}
      // Enter or Escape leaves the field for the queue's keys; the text stays.
      onKeyDown={({ key, currentTarget }) => (key === 'Enter' || key === 'Escape') && currentTarget.blur()}
    />
  );
}

function Kinds({ narrowed, byTask, onNarrow }: Props) {
  const counts = new Map<TaskKind, number>();
  for (const task of byTask) counts.set(task.kind, (counts.get(task.kind) ?? 0) + allOf(task));
  if (counts.size < 2 && narrowed.kind === undefined) return null;
  const kinds = [...counts].sort(([, a], [, b]) => b - a).slice(0, KINDS_SHOWN);
  return kinds.map(([kind, count]) => (
    <Filter
      key={kind}
      isOn={kind === narrowed.kind}
      count={count}
      onPress={() => onNarrow({ only: null, task: null, kind: kind === narrowed.kind ? null : kind })}
    >
      {kindWord(kind)}
    </Filter>
  ));
}

function Tasks({ narrowed, byTask, onNarrow }: Props) {
  if (byTask.length < 2 && narrowed.taskId === undefined) return null;
  return (
    <Select
      label={m.leader_filter_task()}
      className="review-filters__task"
      options={[
        { value: '', label: m.leader_filter_any_task() },
        ...byTask.map((task) => ({ value: task.taskId, label: `${task.title} (${number(allOf(task))})` })),
      ]}
      value={narrowed.taskId ?? ''}
      onValue={(task) => onNarrow({ only: null, kind: null, task: task || null })}
    />
  );
}

function Filter(props: { isOn: boolean; count: number; onPress: () => void; children: string }) {
  return (
    <button type="button" className="filter-chip" aria-pressed={props.isOn} onClick={props.onPress}>
      {props.children} <b className="numeric">{number(props.count)}</b>
    </button>
  );
}
