import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { call } from '../../app/lib/http.ts';
import { hasUnsavedInput } from '../../app/lib/unsaved.ts';
import { Form, shortProblem, useForm, wholeProblem } from '../../app/shared/commands/form.tsx';
import { Field, Select } from '../../app/ui/field.tsx';
import { draw, type FakeServer, fakeServer, json } from './support.tsx';

vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

/** A form as any other: a kind whose field is drawn for one of two, and a number that is judged while one types. */
function Sample(props: { isQueued?: boolean; send?: () => Promise<unknown>; onDone?: () => void }) {
  const form = useForm({
    draft: 'sample',
    initial: () => ({ name: '', type: 'some' as 'some' | 'all', places: '3' }),
    atOnce: ['places'],
    problems: ({ name, places }) => ({ name: shortProblem(name, 2), places: wholeProblem(places, 1, 9) }),
    body: ({ name, places }) => ({ name: name.trim(), rule: { places: Number(places) } }),
    send:
      props.send ??
      ((body, idempotencyKey) =>
        call('POST /api/communities/:communityId/seasons', {
          params: { communityId: 'c1' },
          body: body as never,
          idempotencyKey,
        })),
    ...(props.onDone && { done: props.onDone }),
    ...(props.isQueued && { isQueued: true }),
  });
  return (
    <Form form={form} act="Save">
      <Field label="Name" {...form.field('name')} />
      <Select
        label="Who"
        options={[
          { value: 'some', label: 'Some' },
          { value: 'all', label: 'All' },
        ]}
        {...form.field('type')}
      />
      {form.values.type === 'some' && <Field label="Places" {...form.field('places')} />}
    </Form>
  );
}

const input = (label: string) => screen.getByLabelText(label) as HTMLInputElement;
const write = (label: string, value: string) =>
  act(async () => void fireEvent.input(input(label), { target: { value } }));
const press = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: /^Save/ })));
/** What a field says of itself, as who cannot see it is told. */
function wordsOf(label: string): string | null {
  const { ariaInvalid, attributes } = input(label);
  const id = attributes.getNamedItem('aria-describedby')?.value;
  if ((ariaInvalid ?? attributes.getNamedItem('aria-invalid')?.value) !== 'true' || !id) return null;
  const words = document.getElementById(id);
  return words?.getAttribute('role') === 'alert' ? words.textContent : null;
}
const refuse = (...fields: string[]) =>
  server.answer(({ method }) =>
    method === 'GET'
      ? json({})
      : json(
          {
            status: 400,
            reason: 'INVALID_INPUT',
            message: 'Not so',
            requestId: 'req-1',
            details: { problems: fields.map((field) => ({ field, message: 'Not so', fault: 'other' })) },
          },
          400,
        ),
  );
const sent = () => server.asked.filter(({ method }) => method !== 'GET');

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe('what the server finds wrong', () => {
  test('stands at its own field, which has the focus, until that is changed', async () => {
    refuse('rule.places');
    await draw(<Sample />);
    await write('Name', 'Autumn');
    await press();
    await screen.findByText('Not so');
    expect([wordsOf('Name'), wordsOf('Places')]).toEqual([null, 'Not so']);
    expect(document.activeElement).toBe(input('Places'));
    expect(screen.queryByText('Not done.')).toBeNull();
    await write('Places', '4');
    expect(wordsOf('Places')).toBeNull();
  });

  test.each([
    ['of no field', ['startsAt']],
    ['of a field that is not drawn', ['rule.places']],
    ['of one field and of none', ['name', '']],
  ])('stands above the button where it is %s', async (_, fields) => {
    refuse(...fields);
    await draw(<Sample />);
    await write('Name', 'Autumn');
    await act(async () => void fireEvent.change(input('Who'), { target: { value: 'all' } }));
    await press();
    const words = await screen.findByText(/req-1/);
    expect(words.compareDocumentPosition(screen.getByRole('button', { name: 'Save' }))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
    expect(wordsOf('Name')).toBe(fields.includes('name') ? 'Not so' : null);
  });
});

test('what is wrong in a form is said at the try, the first of it has the focus, and nothing is sent', async () => {
  await draw(<Sample />);
  await write('Places', '12');
  expect([wordsOf('Name'), wordsOf('Places')]).toEqual([null, 'Enter a whole number from 1 to 9.']);
  await press();
  expect(wordsOf('Name')).toBe('At least 2 letters.');
  expect(document.activeElement).toBe(input('Name'));
  expect(sent()).toEqual([]);
});

test('a form that is sent twice in one breath is one command', async () => {
  await draw(<Sample />);
  await write('Name', 'Autumn');
  const form = input('Name').form as HTMLFormElement;
  await act(async () => {
    fireEvent.submit(form);
    fireEvent.submit(form);
  });
  expect(sent()).toHaveLength(1);
});

test('what is typed is unsaved and stays on the device until it is sent', async () => {
  const onDone = vi.fn();
  await draw(<Sample />);
  expect(hasUnsavedInput()).toBe(false);
  await write('Name', 'Autumn');
  expect(hasUnsavedInput()).toBe(true);
  cleanup();
  await draw(<Sample onDone={onDone} />);
  expect([input('Name').value, input('Places').value]).toEqual(['Autumn', '3']);
  await press();
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect([input('Name').value, localStorage.getItem('muster-form:sample'), hasUnsavedInput()]).toEqual([
    '',
    null,
    false,
  ]);
});

test('what is typed while the answer is on its way is not lost with it', async () => {
  let answer = (_: unknown) => {};
  await draw(
    <Sample
      send={() =>
        new Promise((resolve) => {
          answer = resolve;
        })
      }
    />,
  );
  await write('Name', 'Autumn');
  await press();
  await write('Name', 'Autumn lights');
  await act(async () => answer({}));
  expect(input('Name').value).toBe('Autumn lights');
});

describe('without a connection', () => {
  beforeEach(() => void vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false));

  test('a form whose command the server must answer says so on its button, and sends nothing', async () => {
    await draw(<Sample />);
    await write('Name', 'Autumn');
    await press();
    expect(screen.getByRole('button', { name: /^Save: / }).getAttribute('aria-disabled')).toBe('true');
    await act(async () => void fireEvent.submit(input('Name').form as HTMLFormElement));
    expect(sent()).toEqual([]);
  });

  test('one whose command waits in the outbox is sent, and keeps what is typed where the device cannot take it', async () => {
    const onDone = vi.fn();
    const send = vi.fn(async () => null as unknown);
    await draw(<Sample isQueued send={send} onDone={onDone} />);
    await write('Name', 'Autumn');
    await press();
    expect([onDone.mock.calls.length, input('Name').value]).toEqual([0, 'Autumn']);
    send.mockResolvedValue('entry-1');
    await press();
    expect([onDone.mock.calls.length, input('Name').value, server.asked]).toEqual([1, '', []]);
  });
});
