import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createS3 } from '../../server/integrations/s3/s3.ts';
import { ofFile } from '../support/of-file.ts';
import { startS3 } from '../support/s3-server.ts';

const storage = await ofFile(startS3());
const PART = 1_000;
const s3 = createS3(storage.settings, PART);

async function* pieces(bytes: Buffer, of: number) {
  for (let at = 0; at < bytes.length; at += of) yield bytes.subarray(at, at + of);
}
const sha256 = (bytes: Buffer | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');
async function read(key: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await s3.get(key)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

test.each([0, 1, PART - 1, PART, PART + 1, 3 * PART, 3 * PART + 7])(
  '%i bytes come back as they went, in parts or at once',
  async (length) => {
    const bytes = randomBytes(length);
    await s3.put(`of/${length} bytes & more.bin`, pieces(bytes, 333));
    expect(sha256(await read(`of/${length} bytes & more.bin`))).toBe(sha256(bytes));
    expect(storage.uploads.size).toBe(0);
  },
);

test('keys are listed to the last page, and what is removed is gone', async () => {
  for (const name of ['e', 'c', 'a', 'd', 'b']) await s3.put(`list/${name}`, pieces(Buffer.from(name), 1));
  expect(await s3.list('list/')).toEqual(['list/a', 'list/b', 'list/c', 'list/d', 'list/e']);
  await s3.remove('list/c');
  expect(await s3.list('list/')).toEqual(['list/a', 'list/b', 'list/d', 'list/e']);
  await expect(s3.get('list/c')).rejects.toThrow('S3: GET list/c: 404 NoSuchKey');
});

test('what fails in the middle leaves no part, and nothing under its key', async () => {
  const broken = async function* () {
    yield randomBytes(2 * PART);
    throw new Error('the disk went away');
  };
  await expect(s3.put('half', broken())).rejects.toThrow('the disk went away');
  storage.failing.push('PUT refused');
  await expect(s3.put('refused', pieces(randomBytes(3 * PART), PART))).rejects.toThrow(
    'S3: PUT refused: 403 QuotaExceeded',
  );
  storage.failing.pop();
  expect(storage.uploads.size).toBe(0);
  expect([...storage.objects.keys()].filter((key) => key === 'half' || key === 'refused')).toEqual([]);
});

test('another key is refused, and a storage that is not there is told in words', async () => {
  const stranger = createS3({ ...storage.settings, secretKey: 'another' });
  await expect(stranger.list('')).rejects.toThrow('403 SignatureDoesNotMatch');
  const nowhere = createS3({ ...storage.settings, endpoint: 'http://127.0.0.1:9' });
  await expect(nowhere.remove('x')).rejects.toThrow(/^S3: DELETE x: .*(9|port)/);
});
