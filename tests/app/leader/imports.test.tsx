import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Imports } from '../../../app/features/leader/imports/imports.tsx';
import type { Import, ImportCheck } from '../../../server/contract/imports.ts';
import { dashboardOf } from '../member/support.ts';
import { click, draw, type FakeRequest, fill, json, press, refusal, serverOfEach } from '../support.tsx';

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const TEXT = 'username,total_xp\ntomas_kral,1255\nmiraok,1.240\n,40\n,7\n,8\n,9\n';
const CHECK: ImportCheck = {
  letters: { read: 'utf-8', offered: [] },
  source: 'zealy',
  columns: [
    { name: 'username', samples: ['tomas_kral', 'miraok'], field: 'telegram' },
    { name: 'total_xp', samples: ['1255', '1.240', '40'], field: 'points' },
  ],
  rows: 6,
  ready: 2,
  leftOut: 4,
  points: 2495,
  room: null,
  findings: [
    { problem: 'identity_missing', effect: 'left_out', choice: false, lines: [4, 5, 6, 7], column: 0, reading: null },
    {
      problem: 'points_grouped',
      effect: 'taken',
      choice: true,
      lines: [3],
      column: 1,
      reading: { from: '1.240', to: '1240' },
    },
  ],
};
const NOTHING = { people: 0, points: 0 };
const DONE: Import = {
  id: 'i1',
  kind: 'people',
  source: 'zealy',
  fileName: 'zealy.csv',
  at: new Date().toISOString(),
  by: 'Ilse Brandt',
  count: 2,
  points: 2495,
  settled: { people: 1, points: 1255 },
  settling: NOTHING,
  waiting: { people: 1, points: 1240 },
  undoUntil: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  undoneAt: null,
  undoing: 0,
};

let listed: Import[] = [];
let checked: () => ImportCheck | Response = () => CHECK;
let ran: () => Response = () => json(DONE, 201);
const pathOf = (url: string) => url.split('?', 1)[0] ?? '';
/** What was asked of each file that was sent, with its text. */
const sent = (end: string): Promise<Record<string, string>[]> =>
  Promise.all(
    server.asked
      .filter(({ url, method }) => method === 'POST' && pathOf(url).endsWith(end))
      .map(async ({ url, init }) => {
        expect(new Headers(init.headers).get('content-type')).toBe('text/csv');
        const text = new TextDecoder('latin1').decode(await (init.body as Blob).arrayBuffer());
        return { ...Object.fromEntries(new URLSearchParams(url.split('?')[1])), text };
      }),
  );

const server = serverOfEach(async ({ url, method }: FakeRequest) => {
  if (pathOf(url).endsWith('/imports/check')) {
    const answer = checked();
    return answer instanceof Response ? answer : json(answer);
  }
  if (url.endsWith('/undo')) {
    listed = [{ ...DONE, undoneAt: new Date().toISOString(), undoing: 1 }];
    return json(listed[0]);
  }
  if (pathOf(url).endsWith('/imports')) {
    const answer = method === 'POST' ? ran() : json(listed);
    if (method === 'POST' && answer.ok) listed = [DONE];
    return answer;
  }
  return json({});
});
beforeEach(() => {
  listed = [];
  checked = () => CHECK;
  ran = () => json(DONE, 201);
});

const choose = async (text: string | Uint8Array<ArrayBuffer> = TEXT, name = 'zealy.csv') => {
  const file = new File([text], name, { type: 'text/csv' });
  await act(async () => void fireEvent.change(screen.getByLabelText(/CSV file/), { target: { files: [file] } }));
};
const pick = (name: RegExp | string) => click(screen.getByRole('radio', { name }));

test('a file is tried at once: its result, its columns, and each problem with its lines', async () => {
  await draw(<Imports community={community} />);
  await screen.findByText('Nothing imported yet');
  expect(screen.getByText('File').closest('li')?.getAttribute('aria-current')).toBe('step');
  await choose();
  await screen.findByRole('button', { name: 'Import 2 people' });
  expect(await sent('/check')).toEqual([{ kind: 'people', name: 'zealy.csv', text: TEXT }]);
  expect(screen.getByText('2,495')).toBeTruthy();
  expect(screen.getByText('Nothing is imported yet. After importing, you have 7 days to undo.')).toBeTruthy();
  expect((screen.getByLabelText('username becomes') as HTMLSelectElement).value).toBe('telegram');
  expect(screen.getByText(/A username may belong to someone else by now/)).toBeTruthy();
  screen.getByRole('heading', { name: '5 lines to look at' });
  screen.getByRole('heading', { name: '4 lines: no Telegram username, Telegram ID or X handle' });
  const lines = screen.getByRole('list', { name: 'Lines of the file: no Telegram username, Telegram ID or X handle' });
  expect(
    within(lines)
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual(['Line 4(empty),40', 'Line 5(empty),7', 'Line 6(empty),8']);
  await press('Show all 4');
  expect(within(lines).getAllByRole('listitem')).toHaveLength(4);
  screen.getByText('“1.240” is read as 1,240, because no others in the file have decimals.');
});

test('another column, another source and a choice are tried anew', async () => {
  await draw(<Imports community={community} />);
  await choose();
  await screen.findByRole('button', { name: 'Import 2 people' });
  await fill(screen.getByLabelText('username becomes'), 'name');
  expect((await sent('/check')).at(-1)).toMatchObject({ columns: 'name,points', source: 'zealy' });
  await press('Leave these out');
  expect((await sent('/check')).at(-1)).toMatchObject({ columns: 'name,points', leave: 'points_grouped' });
  await fill(screen.getByLabelText('Exported from'), 'galxe');
  expect((await sent('/check')).at(-1)).toEqual({
    kind: 'people',
    name: 'zealy.csv',
    source: 'galxe',
    leave: 'points_grouped',
    text: TEXT,
  });
});

test('a file of which nothing can be taken says why, and cannot be imported', async () => {
  checked = () => ({
    ...CHECK,
    ready: 0,
    leftOut: 6,
    points: 0,
    findings: [{ problem: 'nobody_named', effect: 'stops', choice: false, lines: [1], column: null, reading: null }],
  });
  await draw(<Imports community={community} />);
  await choose();
  await screen.findByRole('heading', { name: '1 line: no column says who people are on Telegram or X' });
  await press('Import 0 people: nothing to import');
  expect(await sent('/imports')).toEqual([]);
});

test('it is imported once, shown with what waits, and undone after a question', async () => {
  await draw(<Imports community={community} />);
  await choose();
  await screen.findByRole('button', { name: 'Import 2 people' });
  await press('Import 2 people');
  await screen.findByRole('heading', { name: '2 people imported' });
  expect(await sent('/imports')).toEqual([{ kind: 'people', name: 'zealy.csv', text: TEXT }]);
  screen.getByText(
    /1 member has their 1,255 points in the ledger. The 1,240 points of 1 person wait in pencil until they join./,
  );
  screen.getByRole('img', { name: '1,255 points in the ledger, 1,240 waiting' });
  screen.getByRole('link', { name: 'Invite the others' });
  screen.getByText(/^You can undo until /);
  await press('Undo the import');
  await click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Undo the import' }));
  await screen.findByText(/^Undone .* The points of 1 person are still being taken back\.$/);
  expect(screen.queryByRole('button', { name: 'Undo the import' })).toBeNull();
});

test('what is refused stays to be tried again, and a reading that failed is offered again', async () => {
  ran = () => refusal(409, 'IMPORT_LIMIT', 'A community moves in at most 50 files.');
  await draw(<Imports community={community} />);
  await choose();
  await screen.findByRole('button', { name: 'Import 2 people' });
  await press('Import 2 people');
  await screen.findByText(/A community moves in at most 50 files\./);
  checked = () => refusal(500, 'INTERNAL', 'Something broke.');
  await press('Leave these out');
  await screen.findByText('Something broke.');
  checked = () => CHECK;
  await press('Try again');
  await screen.findByRole('button', { name: 'Import 2 people' });
});

test('a new community is told how many people it may import, why, and whom to ask; more than that is not sent', async () => {
  checked = () => ({ ...CHECK, room: 500 });
  await draw(<Imports community={community} />);
  await choose();
  await screen.findByText(
    /can import 500 people in all; 500 are left\. .*strangers\. To import more, ask an administrator/,
  );
  screen.getByRole('button', { name: 'Import 2 people' });
  checked = () => ({ ...CHECK, room: 1 });
  await press('Leave these out');
  await press('Import 2 people: too many people for a new community');
  expect(await sent('/imports')).toEqual([]);
});

test('a file whose letters nobody can tell is asked about with samples, and read as is chosen', async () => {
  const offered = [
    { encoding: 'windows-1251' as const, sample: 'Аня,40' },
    { encoding: 'windows-1252' as const, sample: 'Àíÿ,40' },
  ];
  checked = () => ({
    ...CHECK,
    letters: { read: null, offered },
    columns: [],
    rows: 0,
    ready: 0,
    findings: [{ problem: 'letters_unknown', effect: 'stops', choice: false, lines: [2], column: null, reading: null }],
  });
  await draw(<Imports community={community} />);
  const bytes = [...new TextEncoder().encode('telegram,name\ntomas_kral,'), 0xc0, 0xed, 0xff, 10];
  await choose(Uint8Array.from(bytes));
  const asked = await screen.findByRole('group', { name: 'Which of these reads right?' });
  expect(within(asked).getAllByRole('radio')).toHaveLength(2);
  const text = 'telegram,name\ntomas_kral,\u00c0\u00ed\u00ff\n';
  expect(await sent('/check')).toEqual([{ kind: 'people', name: 'zealy.csv', text }]);
  await press('Import 0 people: nothing to import');
  expect(await sent('/imports')).toEqual([]);
  checked = () => ({
    ...CHECK,
    letters: { read: 'windows-1251', offered },
    findings: [
      { problem: 'identity_missing', effect: 'left_out', choice: false, lines: [2], column: 0, reading: null },
    ],
  });
  await click(screen.getByLabelText('Cyrillic (windows-1251): Аня,40'));
  expect((await sent('/check')).at(-1)).toEqual({ kind: 'people', name: 'zealy.csv', encoding: 'windows-1251', text });
  // Its lines are shown in the same letters, which may still be changed.
  expect(screen.getByRole('list', { name: /^Lines of the file/ }).textContent).toBe('Line 2tomas_kral,Аня');
  screen.getByText('Letters are read as Cyrillic (windows-1251).');
  await press('They look wrong');
  await click(screen.getByLabelText('Western European (windows-1252): Àíÿ,40'));
  expect((await sent('/check')).at(-1)).toMatchObject({ encoding: 'windows-1252' });
  await press('Import 2 people');
  expect(await sent('/imports')).toEqual([{ kind: 'people', name: 'zealy.csv', encoding: 'windows-1252', text }]);
});

test('UTF-16 travels as UTF-8, what is too large is not sent, and without a connection no file is asked for', async () => {
  await draw(<Imports community={community} />);
  await choose(Uint8Array.from(Buffer.from('\ufeffname\né\n', 'utf16le')));
  await screen.findByRole('button', { name: 'Import 2 people' });
  expect((await sent('/check')).at(-1)?.['text']).toBe('\u00ef\u00bb\u00bfname\n\u00c3\u00a9\n');
  await press('Choose another file');
  await choose('x'.repeat(6_000_001));
  await screen.findByText('This file is larger than 6 MB. Split it and import it piece by piece.');
  expect(await sent('/check')).toHaveLength(1);
  cleanup();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await draw(<Imports community={community} />);
  await screen.findByRole('button', { name: /^CSV file: / });
});

test('tasks come as drafts, and lead to where they are published', async () => {
  listed = [{ ...DONE, kind: 'tasks', fileName: 'quests.csv', points: 0, settled: NOTHING, waiting: NOTHING }];
  await draw(<Imports community={community} />);
  await screen.findByRole('heading', { name: '2 tasks imported' });
  screen.getByText('They are drafts. Publish them under Tasks.');
  screen.getByRole('link', { name: 'Open the tasks' });
  await pick('Tasks');
  await choose('title\nSay hello\n', 'quests.csv');
  expect((await sent('/check')).at(-1)).toMatchObject({ kind: 'tasks', name: 'quests.csv' });
  expect(screen.getByRole('link', { name: 'Tasks as CSV' }).getAttribute('href')).toContain(
    '/exports/tasks?format=csv',
  );
});
