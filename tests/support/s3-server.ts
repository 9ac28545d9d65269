import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const SETTINGS = { bucket: 'backups-of-tests', region: 'test-1', accessKey: 'the-key', secretKey: 'the-secret' };
/** Keys in an answer to a list, so that one is in pieces. */
const LISTED = 2;

/** Signature Version 4, reckoned as Amazon's papers say. */
function signatureOf(request: IncomingMessage, url: URL, secret: string): string {
  const [, credential = '', names = ''] =
    /Credential=[^/]+\/(\S+), SignedHeaders=(\S+),/.exec(request.headers.authorization ?? '') ?? [];
  const [day = '', region = '', service = '', end = ''] = credential.split('/');
  const encoded = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const headers = names.split(';').map((name) => `${name}:${request.headers[name]}\n`);
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    headers.join(''),
    names,
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], credential, sha256(canonical)].join('\n');
  const key = [region, service, end].reduce<Buffer>((last, part) => hmac(last, part), hmac(`AWS4${secret}`, day));
  return hmac(key, text).toString('hex');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A storage with one bucket that speaks the part of Amazon's S3 protocol that the product uses, and takes signed requests alone. */
export async function startS3() {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const seen: string[] = [];
  const failing: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '', 'http://localhost');
    const [, bucket, ...rest] = url.pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    const did = `${request.method} ${key}`;
    seen.push(did);
    const refuse = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    const given = /Signature=([0-9a-f]{64})$/.exec(request.headers.authorization ?? '')?.[1];
    if (given !== signatureOf(request, url, SETTINGS.secretKey)) return refuse(403, 'SignatureDoesNotMatch');
    if (request.headers['x-amz-content-sha256'] !== sha256(body)) return refuse(400, 'XAmzContentSHA256Mismatch');
    if (bucket !== SETTINGS.bucket) return refuse(404, 'NoSuchBucket');
    if (failing.some((start) => did.startsWith(start))) return refuse(403, 'QuotaExceeded');
    return answer(request.method ?? '', key, url.searchParams, body, response);
  });

  function answer(method: string, key: string, query: URLSearchParams, body: Buffer, response: ServerResponse) {
    const uploadId = query.get('uploadId');
    if (method === 'GET' && key === '') return list(query, response);
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, new Map());
      return response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (uploadId !== null) {
      const parts = uploads.get(uploadId);
      if (!parts) return response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
      if (method === 'PUT') {
        parts.set(Number(query.get('partNumber')), body);
        return response.setHeader('etag', `"${sha256(body)}"`).end();
      }
      uploads.delete(uploadId);
      if (method === 'DELETE') return response.writeHead(204).end();
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)</g)];
      const isRight = named.every(([, at, tag]) => `"${sha256(parts.get(Number(at)) ?? '')}"` === tag);
      if (!isRight || named.length !== parts.size) return response.end('<Error><Code>InvalidPart</Code></Error>');
      objects.set(key, Buffer.concat(named.map(([, at]) => parts.get(Number(at)) ?? Buffer.alloc(0))));
      return response.end('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
    }
    if (method === 'PUT') objects.set(key, body);
    else if (method === 'DELETE') objects.delete(key);
    else if (!objects.has(key)) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    return response.end(method === 'GET' ? objects.get(key) : '');
  }

  function list(query: URLSearchParams, response: ServerResponse) {
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort();
    const shown = keys.slice(0, LISTED);
    const next = keys.length > LISTED ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : '';
    const contents = shown.map((key) => `<Contents><Key>${key}</Key></Contents>`);
    return response.end(`<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { endpoint, ...SETTINGS },
    /** The same for a process. */
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: SETTINGS.bucket,
      S3_REGION: SETTINGS.region,
      S3_ACCESS_KEY: SETTINGS.accessKey,
      S3_SECRET_KEY: SETTINGS.secretKey,
    },
    objects,
    /** Uploads that were begun and neither ended nor given up. */
    uploads,
    seen,
    /** What begins so (`PUT backups/`) is refused. */
    failing,
    close: () => void server.close(),
  };
}
