import { describe, expect, it } from 'vitest';
import { nextTask, viewTask, viewToday, withClaims } from '../../../app/shared/tasks/task-view.ts';
import type { Gate } from '../../../server/contract/tasks.ts';
import { claimOf, dashboardOf, entryOf, taskOf } from './support.ts';

const subject = 'claim:c1:a';

describe('where a task stands', () => {
  it('is open while neither the device nor the server knows of an act', () => {
    expect(viewTask('c1', taskOf('a'), []).state).toBe('open');
  });

  it('is in pencil while only the device has the act, and says when it is on its way', () => {
    expect(viewTask('c1', taskOf('a'), [entryOf(subject)]).state).toBe('queued');
    expect(viewTask('c1', taskOf('a'), [entryOf(subject, { state: 'sending' })]).state).toBe('sending');
  });

  it('ignores acts on the same task of another community', () => {
    expect(viewTask('c2', taskOf('a'), [entryOf(subject)]).state).toBe('open');
  });

  it('follows the server once it has the claim, also while the outbox has not heard of it', () => {
    const received = taskOf('a', { claim: claimOf({ taskId: 'a' }) });
    const counted = taskOf('a', { claim: claimOf({ taskId: 'a', state: 'approved' }) });
    expect(viewTask('c1', received, [entryOf(subject)]).state).toBe('received');
    expect(viewTask('c1', counted, [entryOf(subject, { state: 'sending' })]).state).toBe('counted');
  });

  it('shows a refusal of the server with its entry, so that its words and buttons can be given', () => {
    const entry = entryOf(subject, {
      state: 'refused',
      error: { status: 409, reason: 'TASK_ARCHIVED', message: 'This task is closed.', requestId: 'r1' },
    });
    const view = viewTask('c1', taskOf('a'), [entry]);
    expect(view.state).toBe('unsent');
    expect(view.entry?.error?.message).toBe('This task is closed.');
  });

  it('shows a second try after a rejection as pencil, keeping the rejected claim', () => {
    const rejected = taskOf('a', { claim: claimOf({ taskId: 'a', state: 'rejected', reason: 'Too dark' }) });
    expect(viewTask('c1', rejected, []).state).toBe('rejected');
    const again = viewTask('c1', rejected, [entryOf(subject)]);
    expect([again.state, again.claim?.reason]).toEqual(['queued', 'Too dark']);
  });
});

describe('what stands in the way', () => {
  const shut = (reason: NonNullable<Gate['reason']>, opensAt: string | null = null) =>
    taskOf('a', { gate: { open: false, reason, opensAt, path: [] } });
  const at = (time: string) => Date.parse(`2026-11-21T${time}:00.000Z`);

  it('locks a task whose gate is shut, but never for leaders, who do not compete anyway', () => {
    expect(viewTask('c1', shut('conditions'), []).state).toBe('locked');
    expect(viewTask('c1', shut('granted'), []).state).toBe('locked');
    expect(viewTask('c1', shut('leader'), []).state).toBe('open');
  });

  it('closes what is over when its time has come, also on an old copy', () => {
    const over = (end: string) => `2026-11-21T${end}:00.000Z`;
    const event = taskOf('a', {
      kind: 'telegram_event',
      ask: { kind: 'telegram_event', place: '', startsAt: over('08:00'), endsAt: over('10:00'), publicKey: 'k' },
    });
    // A code of the last minute is taken until the next one is over.
    expect(viewTask('c1', event, [], at('10:01') - 1).state).toBe('open');
    const ended = viewTask('c1', event, [], at('10:01'));
    expect([ended.state, ended.task.gate.reason]).toEqual(['locked', 'closed']);
    const dated = taskOf('b', { schedule: { opensAt: null, closesAt: over('10:00'), window: null } });
    expect(viewTask('c1', dated, [], at('10:00') - 1).state).toBe('open');
    expect(viewTask('c1', dated, [], at('10:00')).state).toBe('locked');
    const rejected = viewTask('c1', { ...event, claim: claimOf({ taskId: 'a', state: 'rejected' }) }, [], at('10:01'));
    expect([rejected.state, rejected.task.gate.open]).toEqual(['rejected', false]);
  });

  it('opens what opens by itself when its time has come, also on an old copy', () => {
    const window = shut('window', '2026-11-21T10:00:00.000Z');
    expect(viewTask('c1', window, [], at('09:59')).state).toBe('locked');
    expect(viewTask('c1', window, [], at('10:00')).state).toBe('open');
    expect(viewTask('c1', shut('closed', '2026-11-21T10:00:00.000Z'), [], at('11:00')).state).toBe('locked');
  });

  it('knows changes asked for from a rejection', () => {
    const back = taskOf('a', { claim: claimOf({ taskId: 'a', state: 'changes_requested' }) });
    expect(viewTask('c1', back, []).state).toBe('changes');
    expect(viewTask('c1', back, [entryOf(subject)]).state).toBe('queued');
  });

  it('follows an appeal from the device to the reviewer and back', () => {
    const appealed = (outcome: 'open' | 'refused') =>
      taskOf('a', {
        claim: claimOf({ taskId: 'a', state: 'rejected', appeal: { text: 'It was there', at: '', outcome } }),
      });
    const rejected = taskOf('a', { claim: claimOf({ taskId: 'a', state: 'rejected' }) });
    const kept = entryOf('appeal:claim-1');
    expect(viewTask('c1', rejected, [kept])).toMatchObject({ state: 'queued', appeal: kept, entry: null });
    expect(viewTask('c1', rejected, [{ ...kept, state: 'refused' }]).state).toBe('rejected');
    expect(viewTask('c1', appealed('open'), []).state).toBe('received');
    expect(viewTask('c1', appealed('refused'), []).state).toBe('rejected');
  });
});

describe('the list of today', () => {
  const board = dashboardOf([
    taskOf('done', { claim: claimOf({ taskId: 'done', state: 'approved' }) }),
    taskOf('open'),
    taskOf('a'),
    taskOf('no', { claim: claimOf({ taskId: 'no', state: 'rejected' }) }),
    taskOf('in', { claim: claimOf({ taskId: 'in' }) }),
  ]);

  it('puts what needs the member first and what is settled last', () => {
    const order = viewToday(board, [entryOf(subject)]).tasks.map((view) => view.task.id);
    expect(order).toEqual(['no', 'a', 'open', 'in', 'done']);
  });

  it('parts what can be done now from what waits and what is settled', () => {
    const locked = taskOf('later', { gate: { open: false, reason: 'conditions', opensAt: null, path: [] } });
    const { now, later, done } = viewToday({ ...board, tasks: [...board.tasks, locked] }, [entryOf(subject)]);
    const ids = (views: typeof now) => views.map(({ task }) => task.id);
    expect([ids(now), ids(later), ids(done)]).toEqual([['no', 'a', 'open'], ['in', 'later'], ['done']]);
  });

  it('does not count an appeal as points in pencil', () => {
    const no = dashboardOf([taskOf('no', { claim: claimOf({ taskId: 'no', state: 'rejected' }) })]);
    expect(viewToday(no, [entryOf('appeal:claim-1')])).toMatchObject({ pencilPoints: 0, pencilClaims: 0 });
  });

  it('does not move a card when its act begins to be sent', () => {
    const two = dashboardOf([taskOf('a'), taskOf('b')]);
    const outbox = [entryOf('claim:c1:a'), entryOf('claim:c1:b', { state: 'sending' })];
    expect(viewToday(two, outbox).tasks.map((view) => view.task.id)).toEqual(['a', 'b']);
  });

  it('counts pencil points apart from the total and from what was refused', () => {
    const two = dashboardOf([taskOf('a', { points: 10 }), taskOf('b', { points: 25 })]);
    const today = viewToday(two, [entryOf('claim:c1:a'), entryOf('claim:c1:b', { state: 'refused' })]);
    expect([today.pencilPoints, today.pencilClaims]).toEqual([10, 1]);
  });

  it('says today is in pencil only while no inked act has counted the day', () => {
    const tasks = [taskOf('a')];
    expect(viewToday(dashboardOf(tasks), [entryOf(subject)]).pencilToday).toBe(true);
    expect(viewToday(dashboardOf(tasks, { countedToday: true }), [entryOf(subject)]).pencilToday).toBe(false);
    expect(viewToday(dashboardOf(tasks), []).pencilToday).toBe(false);
  });

  it('is all done when everything is counted, not when it only waits for a reviewer, and never without tasks', () => {
    const counted = taskOf('a', { claim: claimOf({ taskId: 'a', state: 'approved' }) });
    expect(viewToday(dashboardOf([counted]), []).allDone).toBe(true);
    expect(viewToday(dashboardOf([counted, taskOf('b', { claim: claimOf({ taskId: 'b' }) })]), []).allDone).toBe(false);
    expect(viewToday(dashboardOf([]), []).allDone).toBe(false);
  });

  it('names the next open task, never the one just done', () => {
    const today = viewToday(dashboardOf([taskOf('a'), taskOf('b')]), []);
    expect(nextTask(today, 'a')?.task.id).toBe('b');
    expect(nextTask(viewToday(dashboardOf([taskOf('a')]), []), 'a')).toBeNull();
  });

  it('takes the answer to a claim in before the list is read again', () => {
    const answered = withClaims(dashboardOf([taskOf('a'), taskOf('b')]), [claimOf({ taskId: 'a', state: 'approved' })]);
    expect(viewToday(answered, []).tasks.map((view) => view.state)).toEqual(['open', 'counted']);
  });
});
