import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { JSON_BODY_BYTES } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { Declaration } from '../../contract/route.ts';
import { findLastingAnswer, requestHash } from '../idempotency.ts';
import { parseInput, readQuery } from '../input.ts';
import { readJson, readRaw } from '../read-body.ts';
import type { Step } from '../request-context.ts';
import { searchOf } from '../request-parts.ts';
import type { Route } from '../route-table.ts';
import { sendJson, sendStored } from '../send.ts';

const SHOWN_PROBLEMS = 20;
const SHOWN_CHARACTERS = 200;

/**
 * Reads the query and the body as the declaration describes them. Throws 400, 413 and 415. Where the community rejects
 * a command, a repeat still gets its stored answer, and anything else is rejected.
 */
export function body({ sql }: Pick<Runtime, 'sql'>, { declaration }: Route): Step {
  const { bodyTypes, bodyBytes = JSON_BODY_BYTES } = declaration;
  const read: Step = async (req, res, next) => {
    const { context } = res.locals;
    const { sender, refused } = context;
    const query = readQuery(searchOf(req));
    context.query = declaration.query && parseInput(declaration.query, query);
    const file = bodyTypes && (await readRaw(req, { types: bodyTypes, limit: bodyBytes }));
    const json = file ? undefined : await readJson(req, declaration);
    context.bodyRead();
    if (sender) {
      // A file's parameters are in its query.
      const [path = ''] = file ? [req.url] : req.url.split('?', 1);
      context.command = { ...sender, hash: requestHash(path, file ? file.digest : json) };
      const stored = refused && (await findLastingAnswer(sql, context.command));
      if (stored) return sendStored(req, res, declaration, { ...stored, replayed: true });
      if (refused) throw refused;
    }
    if (file) context.body = { type: file.type, bytes: file.bytes };
    else context.body = declaration.body ? parseBody(declaration.body, json) : requireNone(json);
    next();
  };
  return declaration.passesOver ? passingOver(read) : read;
}

/** The same step for input that may be malformed. The input is not logged, because it may be a member's text. */
const passingOver =
  (read: Step): Step =>
  async (req, res, next) => {
    try {
      await read(req, res, next);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 400) throw error;
      res.locals.context.log().warn({ reason: error.reason }, 'what came was passed over');
      await sendJson(req, res, { status: 200, json: { ok: true }, cache: 'no-store' });
    }
  };

function parseBody(schema: NonNullable<Declaration['body']>, raw: unknown): unknown {
  // A body of which nothing is required may be left out.
  if (raw === undefined && !schema.safeParse({}).success)
    throw new HttpError(400, 'INVALID_INPUT', 'This request needs a JSON body.');
  return parseInput(schema, raw === undefined ? {} : raw);
}

function requireNone(raw: unknown): undefined {
  if (raw === undefined || raw === null) return;
  const fields = typeof raw === 'object' ? Object.keys(raw) : [];
  if (typeof raw === 'object' && fields.length === 0) return;
  const problems = fields
    .slice(0, SHOWN_PROBLEMS)
    .map((field) => ({ field: field.slice(0, SHOWN_CHARACTERS), message: 'Unknown field', fault: 'other' as const }));
  throw new HttpError(400, 'INVALID_INPUT', `${problems[0]?.field ?? 'The body'}: this request takes no body`, {
    details: { problems } satisfies ErrorDetails['INVALID_INPUT'],
  });
}
