/** R, then typing: no letter is lost, and no reason is chosen that nobody wanted. */
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Asking, ReasonDialog } from '../../../app/ui/reason-dialog.tsx';
import { click, draw } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const PRESETS = ['I cannot tell from this what was done.', 'It came too late.'];
let sent: string[] = [];
function Room() {
  const [asking, setAsking] = useState<Asking | null>(null);
  const onReason = async (reason: string) => {
    sent.push(reason);
    return true;
  };
  const open = () =>
    setAsking({
      about: 'reject:k1',
      title: 'Why?',
      action: 'Reject',
      hint: 'They read it.',
      presets: PRESETS,
      onReason,
    });
  return (
    <>
      <button type="button" onClick={open}>
        Open
      </button>
      <ReasonDialog asking={asking} onClose={() => setAsking(null)} />
    </>
  );
}
const open = () => click(screen.getByRole('button', { name: 'Open' }));
const field = () => screen.getByLabelText('Reason') as HTMLTextAreaElement;
const preset = (nth: number) => screen.getByRole('button', { name: new RegExp(PRESETS[nth] ?? '') });
/** One key as a browser gives it: to what has the focus, and into the field where that is the field by then. */
const type = (key: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    const goesOn = fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
    const { activeElement } = document;
    if (!goesOn || key.length !== 1) return;
    if (activeElement instanceof HTMLTextAreaElement)
      fireEvent.change(activeElement, { target: { value: `${activeElement.value}${key}` } });
    else if (activeElement instanceof HTMLButtonElement && key === ' ') fireEvent.click(activeElement);
  });
const write = async (text: string) => {
  for (const letter of text) await type(letter);
};

beforeEach(() => {
  sent = [];
});

test('every letter that is typed is in the reason', async () => {
  await draw(<Room />);
  await open();
  expect(document.activeElement).toBe(field());
  await write('Please name the path and the place.');
  expect(field().value).toBe('Please name the path and the place.');
  expect(PRESETS.map((_, nth) => preset(nth).getAttribute('aria-pressed'))).toEqual(['false', 'false']);
  await type('Enter', { ctrlKey: true });
  expect(sent).toEqual(['Please name the path and the place.']);
});

test('a number chooses a reason while there is none, and is a number in what is written', async () => {
  await draw(<Room />);
  await open();
  await write('2');
  expect(field().value).toBe(PRESETS[1]);
  await write(' By 2 days.');
  expect(field().value).toBe(`${PRESETS[1]} By 2 days.`);
  await type('Enter', { metaKey: true });
  expect(sent).toEqual([`${PRESETS[1]} By 2 days.`]);
});

test('a reason that is pressed stands behind what was typed, and typing goes on behind it', async () => {
  await draw(<Room />);
  await open();
  await write('Name the path.');
  await click(preset(0));
  expect(document.activeElement).toBe(field());
  await write(' Thanks!');
  expect(field().value).toBe(`Name the path. ${PRESETS[0]} Thanks!`);
});

test('letters that are typed while a reason’s button has the focus are in the field, too', async () => {
  await draw(<Room />);
  await open();
  preset(0).focus();
  await write('Name the path, please.');
  expect(field().value).toBe('Name the path, please.');
});

test('Escape closes, and what was typed is there again', async () => {
  await draw(<Room />);
  await open();
  await write('Name the path.');
  await type('Escape');
  expect(screen.queryByLabelText('Reason')).toBeNull();
  await open();
  expect(field().value).toBe('Name the path.');
  await write('2');
  expect(field().value).toBe('Name the path.2');
});

test('nothing goes out without a reason, whatever is pressed', async () => {
  await draw(<Room />);
  await open();
  await type('Enter', { ctrlKey: true });
  await write('no');
  await type('Enter', { ctrlKey: true });
  expect(sent).toEqual([]);
});
