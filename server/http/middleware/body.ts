import { HttpError } from '../../base/http-error.ts';
import { JSON_BODY_BYTES } from '../../contract/limits.ts';
import type { RefusalDetails } from '../../contract/refusals.ts';
import type { Declaration } from '../../contract/route.ts';
import { parseInput, readQuery } from '../input.ts';
import { readJson, readRaw } from '../read-body.ts';
import type { Step } from '../request-context.ts';
import { searchOf } from '../request-parts.ts';
import type { Route } from '../route-table.ts';

const SHOWN_PROBLEMS = 20;
const SHOWN_CHARACTERS = 200;

/** What is asked: the query and the body, as the declaration describes them. Throws 400, 413 and 415. */
export function body({ declaration }: Route): Step {
  const { bodyTypes, bodyBytes = JSON_BODY_BYTES } = declaration;
  return async (req, res, next) => {
    const { context } = res.locals;
    const query = readQuery(searchOf(req));
    context.query = declaration.query && parseInput(declaration.query, query);
    if (bodyTypes) context.body = await readRaw(req, { types: bodyTypes, limit: bodyBytes });
    else {
      const raw = context.command ? context.command.rawBody : await readJson(req, declaration);
      context.body = declaration.body ? parseBody(declaration.body, raw) : requireNone(raw);
    }
    next();
  };
}

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
    details: { problems } satisfies RefusalDetails['INVALID_INPUT'],
  });
}
