import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';

export type S3Settings = { endpoint: string; bucket: string; region: string; accessKey: string; secretKey: string };
export type S3 = ReturnType<typeof createS3>;

/** A part of an upload, held in memory. There may be 10,000 of them, 160 GB. */
const PART_BYTES = 16 * 2 ** 20;
/** Beside the first try, of answers that say that the service is busy. */
const RETRIES = 3;

type Asking = { query?: Readonly<Record<string, string>>; body?: Buffer };

/**
 * One bucket of a storage that speaks Amazon's S3 protocol, by path (`endpoint/bucket/key`), which each of its kind understands. What
 * is sent is signed with its digest, so a changed byte is refused. Errors name the key and the service's own code.
 */
export function createS3({ endpoint, bucket, region, accessKey, secretKey }: S3Settings, partBytes = PART_BYTES) {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region,
    retries: RETRIES,
  });

  async function ask(method: string, key: string, { query = {}, body }: Asking = {}): Promise<Response> {
    const url = new URL(`${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const headers = { 'x-amz-content-sha256': digest };
    const what = `S3: ${method} ${key || bucket}`;
    const answer = await client
      .fetch(url, { method, headers, ...(body && { body: new Uint8Array(body) }) })
      .catch((error: unknown) => {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
        throw new Error(`${what}: ${cause instanceof Error ? cause.message : cause}`, { cause: error });
      });
    if (answer.ok) return answer;
    throw new Error(`${what}: ${answer.status} ${tagOf(await answer.text(), 'Code') ?? ''}`.trim());
  }

  async function putParts(key: string, first: Buffer, rest: AsyncGenerator<Buffer>): Promise<void> {
    const begun = await ask('POST', key, { query: { uploads: '' } });
    const uploadId = tagOf(await begun.text(), 'UploadId');
    if (uploadId === null) throw new Error(`S3: POST ${key}: the answer names no upload`);
    try {
      const tags: string[] = [];
      const send = async (body: Buffer) => {
        const query = { partNumber: `${tags.length + 1}`, uploadId };
        tags.push((await ask('PUT', key, { query, body })).headers.get('etag') ?? '');
      };
      await send(first);
      for await (const part of rest) await send(part);
      const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      const text = await (await ask('POST', key, { query: { uploadId }, body })).text();
      // It begins its answer before it is done, and then a failure has the status of success.
      if (tagOf(text, 'ETag') === null)
        throw new Error(`S3: POST ${key}: ${tagOf(text, 'Code') ?? 'not put together'}`);
    } catch (error) {
      // Parts of what failed are paid for until they go; the failure itself says more than that of going.
      await ask('DELETE', key, { query: { uploadId } }).catch(() => undefined);
      throw error;
    }
  }

  return {
    /** Stores bytes under a key, whole or not at all. */
    async put(key: string, bytes: AsyncIterable<Buffer>): Promise<void> {
      const parts = inParts(bytes, partBytes);
      const first = (await parts.next()).value ?? Buffer.alloc(0);
      if (first.length < partBytes) await ask('PUT', key, { body: first });
      else await putParts(key, first, parts);
    },
    async get(key: string): Promise<Readable> {
      const { body } = await ask('GET', key);
      return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream<Uint8Array>);
    },
    /** Keys that begin so, in order. */
    async list(prefix: string): Promise<string[]> {
      const keys: string[] = [];
      for (let from: string | null = ''; from !== null; ) {
        const query = { 'list-type': '2', prefix, ...(from && { 'continuation-token': from }) };
        const text = await (await ask('GET', '', { query })).text();
        keys.push(...[...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => plain(key)));
        from = tagOf(text, 'NextContinuationToken');
      }
      return keys;
    },
    async remove(key: string): Promise<void> {
      await ask('DELETE', key);
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
/** The text of the first element of a name, in answers that are known to nest no two of them. */
function tagOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined ? null : plain(text);
}

/** The same bytes in pieces of one size, but for the last. */
async function* inParts(bytes: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    held.push(chunk);
    length += chunk.length;
    if (length < partBytes) continue;
    let all = Buffer.concat(held);
    for (; all.length >= partBytes; all = all.subarray(partBytes)) yield all.subarray(0, partBytes);
    held = [all];
    length = all.length;
  }
  if (length > 0) yield Buffer.concat(held);
}
