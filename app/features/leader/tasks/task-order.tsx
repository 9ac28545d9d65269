import './tasks.css';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { LeaderTask } from '../../../../server/contract/tasks.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';

/** A series of arrow presses is one change of order. */
const SETTLES_MS = 800;

const moved = (ids: readonly string[], id: string, to: number): string[] => {
  const rest = ids.filter((one) => one !== id);
  return rest.toSpliced(Math.max(0, Math.min(to, rest.length)), 0, id);
};

/** The order of live tasks: changed here at once, on the server a moment later. `others` follow in their own order. */
export function useTaskOrder(communityId: string, live: readonly LeaderTask[], others: readonly LeaderTask[]) {
  const [order, setOrder] = useState<string[] | null>(null);
  const save = useCommand((taskIds: string[], idempotencyKey) =>
    call('PUT /api/communities/:communityId/task-order', {
      params: { communityId },
      body: { taskIds },
      idempotencyKey,
    }),
  );
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ids = live.map(({ id }) => id);
  const previous = ids.join();
  // From the server's next answer on, its order counts.
  useEffect(() => {
    if (previous !== '' && save.isSuccess) setOrder(null);
  }, [previous, save.isSuccess]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const shown = order ?? ids;
  const at = (id: string) => (shown.includes(id) ? shown.indexOf(id) : shown.length);
  const put = (id: string, to: number) => {
    const next = moved(shown, id, to);
    if (next.join() === shown.join()) return;
    setOrder(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      save.reset();
      save.mutate([...next, ...others.map((task) => task.id)], { onError: () => setOrder(null) });
    }, SETTLES_MS);
  };
  return { tasks: live.toSorted((a, b) => at(a.id) - at(b.id)), put, error: save.error };
}

/** How to reorder, or why it is not possible now. */
export function OrderHint() {
  const offline = useNeedsConnection();
  if (offline !== null) return <p className="text-small text-muted">{m.leader_order_offline()}</p>;
  return <p className="text-small text-muted only-wide">{m.leader_order_hint()}</p>;
}

/** Moves a task, by dragging or arrow keys; only with a connection. */
export function MoveHandle(props: { task: LeaderTask; at: number; of: number; onPut: (to: number) => void }) {
  const { task, at, of, onPut } = props;
  const offline = useNeedsConnection();
  const label = m.leader_move({ task: task.title, at: number(at + 1), of: number(of) });
  if (offline !== null)
    return <button type="button" className="task-handle" aria-disabled aria-label={`${label}: ${offline}`} />;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: of - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onPut(to);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll('[data-row]') ?? [])];
    const over = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return event.clientY >= top && event.clientY < bottom;
    });
    if (over !== -1) onPut(over);
  };
  return (
    <button
      type="button"
      className="task-handle"
      aria-label={label}
      aria-keyshortcuts="ArrowUp ArrowDown"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}
