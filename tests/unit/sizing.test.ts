import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runSizing } from '../../server/cli/sizing.ts';
import { ASSUMED, CLAIM_BYTES, type Load, sizeFor } from '../../server/storage/sizing.ts';

/** As the page has it: a claim of three members in ten, a log entry of one in ten and a picture of one in a hundred each day. */
const ofMembers = (members: number): Load => ({
  members,
  claims: members * 0.3,
  logs: members * 0.1,
  pictures: members * 0.01,
});
const page = readFileSync(new URL('../../docs/operations/sizing.md', import.meta.url), 'utf8');
const gb = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`;

test('nobody needs a core, the memory of the processes, and room for the log of changes', () => {
  const size = sizeFor({ members: 0, claims: 0, logs: 0, pictures: 0 });
  expect(size).toEqual({
    cores: ASSUMED.coresBeside,
    memoryBytes: ASSUMED.processBytes,
    diskBytes: ASSUMED.writeAheadBytes,
    restoreSeconds: 0,
  });
});

test('a claim more a day is its bytes more in memory for a month and on disk for a year', () => {
  const none = { members: 100, claims: 0, logs: 0, pictures: 0 };
  const [before, after] = [sizeFor(none), sizeFor({ ...none, claims: 1 })];
  expect(after.memoryBytes - before.memoryBytes).toBeCloseTo(CLAIM_BYTES * ASSUMED.hotDays, 3);
  expect(after.diskBytes - before.diskBytes).toBeCloseTo(CLAIM_BYTES * 365 * ASSUMED.slack, 3);
});

test('logs end, so twice as many take twice the room and no year adds to them', () => {
  const none = { members: 0, claims: 0, logs: 0, pictures: 0 };
  const room = (logs: number) => sizeFor({ ...none, logs }).diskBytes - sizeFor(none).diskBytes;
  expect(room(2_000)).toBeCloseTo(2 * room(1_000), 3);
  expect(room(1_000)).toBeLessThan(100 * 2 ** 20);
});

test('cores follow the busiest hour', () => {
  const cores = (claims: number) => sizeFor({ members: 0, claims, logs: 0, pictures: 0 }).cores;
  expect([1, 100_000, 1_000_000].map(cores)).toEqual([2, 2, 6]);
});

test.each([1_000, 20_000, 200_000, 2_000_000])('the page says what %i members need', (members) => {
  const { cores, memoryBytes, diskBytes, restoreSeconds } = sizeFor(ofMembers(members));
  const minutes = Math.ceil(restoreSeconds / 60).toLocaleString('en');
  expect(page).toContain(
    `| ${members.toLocaleString('en')} | ${cores} | ${gb(memoryBytes)} | ${gb(diskBytes)} | ${minutes} min |`,
  );
});

test('the page names everything that is assumed, with its number', () => {
  for (const [name, value] of Object.entries(ASSUMED))
    expect(page).toContain(`| \`${name}\` | ${value.toLocaleString('en')} |`);
});

test('the command says the same for numbers that are given, and refuses others', async () => {
  const numbers = ['--members', '20000', '--claims', '6000', '--logs', '2000', '--pictures', '200'];
  const [, cores, memory, disk] = (await runSizing(numbers)).split('\n');
  const size = sizeFor(ofMembers(20_000));
  expect([cores, memory, disk].map((line) => line?.trim().replace(/\s{2,}/, ' '))).toEqual([
    `cores ${size.cores}`,
    `memory ${gb(size.memoryBytes)}`,
    `disk after a year ${gb(size.diskBytes)}`,
  ]);
  for (const wrong of [['--members', 'many'], ['--members', '-1'], ['--people', '3'], ['20000']])
    await expect(runSizing(wrong)).rejects.toThrow('Usage');
});
