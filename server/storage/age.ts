import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { StorageError } from './error.ts';

/**
 * Backups for one recipient, in the format of age (https://age-encryption.org/v1): the machine that writes them cannot read them,
 * and `age --decrypt` can, too.
 */
const HEAD = 'age-encryption.org/v1';

type Bytes = AsyncIterable<Uint8Array>;

/** How a backup ends that is encrypted. */
export const SEALED = '.age';

export async function* encrypted(bytes: Bytes, recipient: string): AsyncGenerator<Buffer> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  yield* chunksOf(await encrypter.encrypt(streamOf(bytes)));
}

/** Bytes of a backup, decrypted where they have to be. Throws `StorageError` (`backup`) without the right identity. */
export async function* opened(bytes: Bytes, identity: string | null): AsyncGenerator<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]();
  const first = await chunks.next();
  const all = startingWith(first, chunks);
  if (first.done || !Buffer.from(first.value).toString('latin1', 0, HEAD.length).startsWith(HEAD)) return yield* all;
  if (identity === null)
    throw new StorageError('backup', 'it is encrypted: name the file of its identity (--identity <file>)');
  const decrypter = new Decrypter();
  for (const key of identitiesIn(identity)) decrypter.addIdentity(key);
  yield* chunksOf(await decrypter.decrypt(streamOf(all)));
}

function identitiesIn(path: string): string[] {
  const keys = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (keys.length > 0) return keys;
  throw new StorageError('backup', `${path} holds no identity, a line that begins with AGE-SECRET-KEY-`);
}

async function* startingWith(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>) {
  for (let next = first; !next.done; next = await rest.next()) yield Buffer.from(next.value);
}

const streamOf = (bytes: Bytes) => ReadableStream.from(bytes) as globalThis.ReadableStream<Uint8Array>;

async function* chunksOf(stream: globalThis.ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of Readable.fromWeb(stream as ReadableStream<Uint8Array>)) yield Buffer.from(chunk);
}
