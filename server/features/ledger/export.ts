import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { ISql } from 'postgres';
import { counted } from '../../domain/text.ts';
import { ownTitle } from './entries.ts';

const FORMAT = 'muster-ledger-1';

type Line = {
  id: string;
  at: string;
  kind: string;
  points: number;
  communityId: string;
  community: string;
  taskId: string | null;
  task: string | null;
  period: string | null;
  reason: string | null;
};
type Document = {
  format: typeof FORMAT;
  issuer: string;
  keyId: string;
  exportedAt: string;
  member: { id: string; name: string };
  total: number;
  entries: Line[];
};

/** The public half, raw and as base64url, and its name: the first 16 digits of its SHA-256. */
export function publicKeyOf(key: KeyObject): { keyId: string; publicKey: string } {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { keyId: keyIdOf(x), publicKey: x };
}
const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 16);

/** One line of JSON; the signature covers the document without it. */
const written = (document: Document, signature: string): string => `${JSON.stringify({ ...document, signature })}\n`;

/** All points of a member as a signed file. `sql` must be one snapshot. */
export async function exportLedger(
  sql: ISql,
  { member, issuer, key, now }: { member: { id: string; name: string }; issuer: string; key: KeyObject; now: Date },
): Promise<string> {
  const rows = await sql<(Omit<Line, 'at'> & { at: Date })[]>`
    select e.id::text, e.at, e.kind, e.points, c.id as "communityId", c.name as community, t.id as "taskId",
      ${ownTitle(sql)} as task, e.period, e.reason
    from point_events e join communities c on c.id = e.community_id left join tasks t on t.id = e.task_id
    where e.user_id = ${member.id} order by e.id`;
  const document: Document = {
    format: FORMAT,
    issuer,
    keyId: publicKeyOf(key).keyId,
    exportedAt: now.toISOString(),
    member,
    total: rows.reduce((sum, row) => sum + row.points, 0),
    entries: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  };
  return written(document, sign(null, Buffer.from(JSON.stringify(document)), key).toString('base64url'));
}

const WHICH_KEY = 'Name the publicKey that the instance it comes from shows at /api/ledger/public-key after the file.';

/**
 * Content of a file if it is exactly what was signed with the key (raw, base64url; null: there is none here): every
 * byte counts. Throws with what is wrong otherwise.
 */
export function verifyExport(text: string, publicKey: string | null): string {
  const { signature, ...document } = parsed(text);
  const claimText = `The file says that the key ${document.keyId} signed it`;
  if (publicKey === null) throw new Error(`${claimText}, and there is no key here to verify it with. ${WHICH_KEY}`);
  const key = readPublicKey(publicKey);
  if (document.keyId !== keyIdOf(publicKey)) throw new Error(`${claimText}, not ${keyIdOf(publicKey)}. ${WHICH_KEY}`);
  const isSigned = verify(null, Buffer.from(JSON.stringify(document)), key, Buffer.from(signature, 'base64url'));
  if (!isSigned || written(document, signature) !== text) {
    throw new Error('The file is not what was signed: it was changed.');
  }
  const sum = document.entries.reduce((total, { points }) => total + points, 0);
  if (sum !== document.total) throw new Error('The total is not the sum of the entries.');
  const has = `${counted(sum, 'point', 'points')} from ${counted(document.entries.length, 'entry', 'entries')}`;
  return `Signed by ${document.issuer} on ${document.exportedAt}: ${document.member.name} has ${has}.`;
}

function readPublicKey(publicKey: string): KeyObject {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  } catch (error) {
    throw new Error(`“${publicKey}” is no key. ${WHICH_KEY}`, { cause: error });
  }
}

function parsed(text: string): Document & { signature: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('The file is no JSON.', { cause: error });
  }
  const document = value as Partial<Document & { signature: string }> | null;
  if (document?.format !== FORMAT || typeof document.signature !== 'string' || !Array.isArray(document.entries)) {
    throw new Error('The file is no export of a ledger.');
  }
  return document as Document & { signature: string };
}
