import { describe, expect, it } from 'vitest';
import {
  bodyOf,
  emptyDraft,
  previewOf,
  problemsOf,
  type TaskDraft,
} from '../../../app/features/leader/tasks/task-draft.ts';
import { emptySetup, KINDS } from '../../../app/kinds/leader.ts';
import { fromLocal, toLocal } from '../../../app/lib/dates.ts';
import { wholeIn } from '../../../app/ui/typed-number.ts';
import { QUIZ_COOL_DOWN_MINUTES } from '../../../server/contract/limits.ts';
import { NewTask } from '../../../server/contract/tasks.ts';
import { fc } from '../../support/chance.ts';
import { EVERY_KIND } from '../../support/kind-samples.ts';

const NOW = Date.parse('2026-11-21T09:20:00.000Z');
const draftOf = (over: Partial<TaskDraft> = {}): TaskDraft => ({ ...emptyDraft(NOW), title: 'Say hello', ...over });

/** Fields whose blanks a leader need not see. */
const PADDED = ['url', 'link', 'low', 'handle', 'post', 'hashtag'];
/** Each kind as a leader leaves it once everything is filled in. */
const filled = (kind: (typeof KINDS)[number]) =>
  Object.fromEntries(
    Object.entries(EVERY_KIND[kind].setup).map(([name, value]) => [name, PADDED.includes(name) ? ` ${value} ` : value]),
  ) as TaskDraft['setup'];

describe('a task as a leader writes it', () => {
  it.each(KINDS)('is taken by the contract once it is complete: %s', (kind) => {
    const draft = draftOf({ setup: filled(kind), windowed: true, days: [7, 1], total: '20', coolDown: '15' });
    expect(problemsOf(draft)).toEqual([]);
    expect(NewTask.safeParse(bodyOf(draft)).error).toBeUndefined();
  });

  it('is held back while something is missing, and says what', () => {
    expect(problemsOf(draftOf({ title: ' a ' }))).toEqual(['title']);
    expect(problemsOf(draftOf({ points: '1001' }))).toEqual(['points']);
    expect(problemsOf(draftOf({ setup: emptySetup('visit_link', NOW) }))).toEqual(['link']);
    expect(problemsOf(draftOf({ setup: { kind: 'visit_link', url: 'javascript:alert(1)' } }))).toEqual(['link']);
    expect(problemsOf(draftOf({ setup: emptySetup('quiz', NOW) }))).toEqual(['question', 'options']);
    expect(problemsOf(draftOf({ setup: emptySetup('poll', NOW) }))).toEqual(['choices']);
    expect(problemsOf(draftOf({ setup: emptySetup('scale', NOW) }))).toEqual(['scale_ends']);
    expect(problemsOf(draftOf({ setup: emptySetup('partner', NOW) }))).toEqual(['partner_url']);
    const number = { kind: 'number', unit: '', min: 5, max: 4, decimals: 0, review: true } as const;
    expect(problemsOf(draftOf({ setup: number }))).toEqual(['number_bounds']);
    const expected = { value: 6.5, tolerance: 0 };
    expect(problemsOf(draftOf({ setup: { ...number, max: null, expected } }))).toEqual(['number_expected']);
    const days = { earliest: '2026-12-02', latest: '2026-12-01', review: true };
    expect(problemsOf(draftOf({ setup: { kind: 'date', ...days } }))).toEqual(['date_order']);
    expect(problemsOf(draftOf({ setup: emptySetup('x_follow', NOW) }))).toEqual(['x_handle']);
    expect(problemsOf(draftOf({ setup: emptySetup('x_quote', NOW) }))).toEqual(['x_post']);
    expect(problemsOf(draftOf({ setup: emptySetup('x_post', NOW) }))).toEqual(['x_nothing']);
    expect(problemsOf(draftOf({ setup: { kind: 'x_post', text: '', hashtag: '#a b', about: '' } }))).toEqual([
      'x_hashtag',
    ]);
    expect(problemsOf(draftOf({ opensAt: '2026-12-01T10:00', closesAt: '2026-12-01T09:00' }))).toEqual(['dates']);
    expect(problemsOf(draftOf({ windowed: true, days: [] }))).toEqual(['days']);
    expect(problemsOf(draftOf({ total: '0', coolDown: 'soon' }))).toEqual(['total', 'cool_down']);
  });

  it('lets a quiz wait between tries where nothing was chosen, and as long as was chosen', () => {
    const waits = (change: Partial<TaskDraft>) => bodyOf(draftOf(change)).caps.coolDownMinutes;
    expect([waits({ setup: filled('quiz') }), waits({ setup: filled('poll') })]).toEqual([QUIZ_COOL_DOWN_MINUTES, 0]);
    expect([waits({ setup: filled('quiz'), coolDown: '0' }), waits({ coolDown: '7' })]).toEqual([0, 7]);
  });

  it('never shows a member which answers are right', () => {
    const setup = filled('quiz');
    const [right] = setup.kind === 'quiz' ? (setup.questions[0]?.correct ?? []) : [];
    const preview = previewOf(draftOf({ setup }), 'Title');
    expect(JSON.stringify(preview)).not.toContain('correct');
    expect(preview.ask).toMatchObject({ kind: 'quiz', questions: [{ multiple: false }] });
    expect(right).toBeDefined();
  });

  it('has its dates on the clock of the device, to the minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) }), (at) => {
        const minute = new Date(Math.floor(at / 60_000) * 60_000);
        const back = fromLocal(toLocal(minute.toISOString()));
        // The hour that a clock goes through twice in autumn is written alike both times.
        expect(toLocal(back)).toBe(toLocal(minute.toISOString()));
      }),
    );
    // The first digit of a year that is typed: a field that is given no date is emptied.
    expect(toLocal(fromLocal('0002-11-21T09:30'))).toBe('0002-11-21T09:30');
    expect([toLocal(null), fromLocal(''), fromLocal('soon')]).toEqual(['', null, null]);
  });

  it('takes whole numbers only, within their limits', () => {
    expect(['1', ' 20 ', '0', '21', '1.5', '-1', '1e1', ''].map((text) => wholeIn(text, 1, 20))).toEqual([
      1,
      20,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
