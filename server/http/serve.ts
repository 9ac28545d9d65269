import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Sql, TransactionSql } from 'postgres';
import type { Actor } from '../base/actor.ts';
import { HttpError } from '../base/http-error.ts';
import type { Runtime } from '../base/runtime.ts';
import { JSON_BODY_BYTES } from '../contract/limits.ts';
import type { Bucket } from '../contract/route.ts';
import { MEMBER_HEADER } from '../contract/sw-messages.ts';
import {
  admitPerson,
  admitRole,
  admitTelegram,
  findCommunity,
  isRevoked,
  knownTo,
  type PathCommunity,
  UUID,
} from './access.ts';
import { sendBack, sendFile, sendJson, sendStream } from './answer.ts';
import { admitKey, admitKeyTo, bearerOf, type HeldKey, readKey as readApiKey } from './api-key.ts';
import { checkText, readJson, readRaw } from './body.ts';
import { admitInto, tokenBuckets } from './buckets.ts';
import { type CookieOptions, cookieLine, readCookies, sessionCookie } from './cookies.ts';
import { noteError, refusalOf } from './errors.ts';
import type { FileAnswer } from './handler.ts';
import { type Command, findLastingAnswer, once, readKey, requestHash, type StoredAnswer } from './idempotency.ts';
import { parseInput, readQuery } from './input.ts';
import { addressKey, countCall, probeCounter } from './limits.ts';
import type { Exchange } from './request-log.ts';
import type { AnyCall, Route } from './route-table.ts';
import { type Caller, readCaller, readSession } from './session.ts';

/** Answers one request to a route; `raw` are the parameters of its path. Throws what the caller is to be told. */
type Served = (
  req: IncomingMessage,
  res: ServerResponse,
  exchange: Exchange,
  raw: Readonly<Record<string, string>>,
) => Promise<void>;

/** These answer while storage is away: no session, and their calls are counted in memory. */
const PROBES: ReadonlySet<string> = new Set(['GET /livez', 'GET /readyz', 'GET /api/health']);
/** Client logs mend each entry by themselves, so that one poisoned entry cannot hold its neighbours. */
const LENIENT = '/api/debug/client-logs';
const countProbe = probeCounter();
/** Of each runtime, so that tests beside each other do not share them. */
const bucketsOf = new WeakMap<Runtime, ReturnType<typeof tokenBuckets>>();

type Person = Caller & { cookies: ReadonlyMap<string, string>; key?: HeldKey };

/**
 * One route from the request to the answer, in this order: who, how often, may they, what do they ask, do it, answer.
 * Nothing of the body is read before the caller was admitted.
 */
export function serve(runtime: Runtime, route: Route): Served {
  const served = serveAnswer(runtime, route);
  const { backTo } = route.declaration;
  if (backTo === undefined) return served;
  return (req, res, exchange, raw) =>
    served(req, res, exchange, raw).catch((error: unknown) => {
      if (!(req.headers.accept ?? '').toLowerCase().includes('text/html')) throw error;
      const refusal = refusalOf(error);
      noteError(exchange, error, refusal);
      sendBack(res, `${backTo}=${refusal.reason}`);
    });
}

function serveAnswer(runtime: Runtime, route: Route): Served {
  const channel = runtime.config.telegram.requiredChannel;
  return async (req, res, exchange, raw) => {
    exchange.route = route.key;
    const person = await identify(runtime, route, req, exchange, raw['communityId']);
    const { actor, key } = person;
    if (actor) {
      exchange.userId = actor.userId;
      // Says whose partition of the device's store a kept answer belongs in.
      if (route.declaration.cache === 'private') res.setHeader(MEMBER_HEADER, actor.userId);
    }
    checkSender(req, actor);
    if (key) admitKey(route.declaration, key);
    if (route.declaration.access === 'telegram') {
      admitTelegram(headerOf(req, 'x-telegram-bot-api-secret-token'), runtime.config.telegram.webhookSecret);
    } else admitPerson(actor, route, channel);
    const params = checkParams(raw);
    const query = route.declaration.query
      ? parseInput(route.declaration.query, readQuery(searchOf(req)))
      : void readQuery(searchOf(req));
    // Who may not enter as a member counts as a stranger where strangers are welcome.
    const asker = actor && (actor.suspended || isRevoked(actor, channel)) ? null : actor;
    const command = route.declaration.idempotent && actor ? await readCommand(req, route, actor) : null;

    let community: PathCommunity | undefined;
    try {
      if (params['communityId'] !== undefined) {
        community =
          person.found === undefined
            ? await findCommunity(runtime.sql, params['communityId'], asker)
            : knownTo(asker, person.found);
        admitRole(route.declaration.access, community);
      }
      if (key) admitKeyTo(community, key);
    } catch (refused) {
      // The command itself may have taken the role away (leaving): its repeat still gets its own answer.
      const kept =
        command && refused instanceof HttpError ? await findLastingAnswer(runtime.sql, command.command) : null;
      if (!kept) throw refused;
      return answerStored(req, res, route, { ...kept, replayed: true });
    }

    const body = await bodyFor(req, route, command);
    // What is for everybody shows a stranger nothing of their own; who leaves or reports a fault is somebody still.
    const { access, allowRevoked } = route.declaration;
    const caller = { ...person, actor: access === 'public' && !allowRevoked ? asker : actor };
    const call = (sql: Sql | TransactionSql) =>
      callOf({ runtime, route, req, res, exchange, person: caller, params, query, body, community, sql });
    if (command) {
      const { shownOnce } = route.declaration;
      const stored = await once(runtime.sql, command.command, runtime.now(), {
        run: (sql) => runForAnswer(call(sql), route),
        keep: (json) => (shownOnce === undefined ? json : without(json, shownOnce)),
      });
      return answerStored(req, res, route, stored);
    }
    await answer(req, res, route, call(runtime.sql));
  };
}

async function identify(
  runtime: Runtime,
  route: Route,
  req: IncomingMessage,
  exchange: Exchange,
  idOrSlug: string | undefined,
): Promise<Person> {
  const now = runtime.now();
  const cookies = readCookies(req.headers.cookie);
  const counted = { route: route.key, perMinute: route.declaration.perMinute, now };
  const address = addressKey(exchange.ip);
  if (PROBES.has(route.key)) {
    countProbe(address, counted);
    return { actor: null, cookies };
  }
  const { buckets } = route.declaration;
  // Before the session is read: a flood must not reach the database.
  if (buckets) {
    const taken = kept(bucketsOf, runtime, tokenBuckets);
    const token =
      cookies.get(sessionCookie(runtime.config, 'web')) ?? cookies.get(sessionCookie(runtime.config, 'mini_app'));
    const wanted = [
      { key: 'instance', bucket: scaled(buckets.instance, runtime) },
      { key: `address ${address}`, bucket: scaled(buckets.address, runtime) },
      ...(token === undefined
        ? []
        : [{ key: `session ${token.slice(0, 64)}`, bucket: scaled(buckets.session, runtime) }]),
    ];
    await admitInto(runtime, () => taken.take(wanted, now.getTime()));
  }
  const bearer = bearerOf(req.headers.authorization);
  if (bearer !== null) {
    // Guesses are counted before they are looked up; a key goes before the cookies beside it, which then count nothing.
    await countCall(runtime.sql, `key ${address}`, counted);
    return { ...(await readApiKey(runtime.sql, bearer, now)), cookies: new Map() };
  }
  const caller = buckets
    ? { actor: await readSession(runtime.sql, runtime.config, cookies, now) }
    : await readCaller(runtime.sql, runtime.config, cookies, { address, call: counted, idOrSlug });
  return { ...caller, cookies };
}

const scaled = ({ burst, perSecond }: Bucket, { config }: Runtime): Bucket => ({
  burst: burst * config.clientLogRate,
  perSecond: perSecond * config.clientLogRate,
});

function kept<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/**
 * A device that sends what was queued earlier names its member in `X-Actor`. Another session than theirs by now
 * must not deliver it (threat model, row G2). Signed out is for the access check to say.
 */
function checkSender(req: IncomingMessage, actor: Actor | null): void {
  const named = headerOf(req, 'x-actor');
  if (named === undefined || !actor || named === actor.userId) return;
  throw new HttpError(409, 'ACTOR_MISMATCH', 'Somebody else is signed in now. Nothing was sent under their name.');
}

/** A header that a repetition does not make a list of. */
function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}

const urlOf = (req: IncomingMessage): string => req.url ?? '/';
const searchOf = (req: IncomingMessage): string => {
  const at = urlOf(req).indexOf('?');
  return at < 0 ? '' : urlOf(req).slice(at + 1);
};

/** Every id of a path but the community's is a UUID; anything else names nothing. */
function checkParams(raw: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    checkText(value, name);
    if (name !== 'communityId' && !UUID.test(value))
      throw new HttpError(404, 'NOT_FOUND', 'There is no such thing here.');
    // An id is compared as text here and there: one spelling of it.
    params[name] = name === 'communityId' ? value : value.toLowerCase();
  }
  return params;
}

const readBody = (req: IncomingMessage, route: Route): Promise<unknown> =>
  readJson(req, {
    bodyBytes: route.declaration.bodyBytes,
    content: route.path.startsWith(LENIENT) ? 'lenient' : 'strict',
  });

/** What the handler gets: the parsed JSON, or the bytes of a route that takes a file. */
async function bodyFor(req: IncomingMessage, route: Route, command: { raw: unknown } | null): Promise<unknown> {
  const { bodyTypes, bodyBytes = JSON_BODY_BYTES } = route.declaration;
  if (bodyTypes) return readRaw(req, { types: bodyTypes, limit: bodyBytes });
  return parseBody(route, command ? command.raw : await readBody(req, route));
}

async function readCommand(
  req: IncomingMessage,
  route: Route,
  actor: Actor,
): Promise<{ command: Command; raw: unknown }> {
  const key = readKey(headerOf(req, 'idempotency-key'));
  const raw = await readBody(req, route);
  const path = new URL(urlOf(req), 'http://path.invalid').pathname;
  return { raw, command: { userId: actor.userId, key, route: route.key, hash: requestHash(path, raw) } };
}

function parseBody(route: Route, raw: unknown): unknown {
  const { body } = route.declaration;
  if (body) {
    // A body of which nothing is required may be left out.
    if (raw === undefined && !body.safeParse({}).success)
      throw new HttpError(400, 'INVALID_INPUT', 'This request needs a JSON body.');
    return parseInput(body, raw === undefined ? {} : raw);
  }
  const isEmpty = raw === undefined || raw === null || (typeof raw === 'object' && Object.keys(raw).length === 0);
  if (!isEmpty) {
    const names = typeof raw === 'object' ? Object.keys(raw) : [];
    const problems = names.slice(0, 20).map((field) => ({ field: field.slice(0, 200), message: 'Unknown field' }));
    throw new HttpError(400, 'INVALID_INPUT', `${problems[0]?.field ?? 'The body'}: this request takes no body`, {
      details: { problems },
    });
  }
  return undefined;
}

type CallParts = {
  runtime: Runtime;
  route: Route;
  req: IncomingMessage;
  res: ServerResponse;
  exchange: Exchange;
  person: Person;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  community: PathCommunity | undefined;
  sql: Sql | TransactionSql;
};

function callOf(parts: CallParts): AnyCall {
  const { runtime, req, res, exchange, person } = parts;
  return {
    runtime,
    sql: parts.sql,
    params: parts.params,
    body: parts.body,
    query: parts.query,
    actor: person.actor,
    community: parts.community,
    requestId: exchange.requestId,
    userAgent: req.headers['user-agent'] ?? null,
    ip: exchange.ip,
    log: exchange.log,
    cookies: person.cookies,
    setCookie: (name: string, value: string, options: CookieOptions) =>
      void res.appendHeader('Set-Cookie', cookieLine(runtime.config, name, value, options)),
    clearCookie: (name: string) => {
      // A partitioned cookie is only cleared by a partitioned one.
      const framed = name === sessionCookie(runtime.config, 'mini_app');
      const gone: CookieOptions = { maxAgeMs: 0, sameSite: framed ? 'None' : 'Lax', partitioned: framed };
      res.appendHeader('Set-Cookie', cookieLine(runtime.config, name, '', gone));
    },
    setHeader: (name: string, value: string) => void res.setHeader(name, value),
    setStatus: (status: number) => {
      res.statusCode = status;
    },
    gone: parts.route.declaration.stream ? goneOf(res) : NEVER,
  };
}

const NEVER = new AbortController().signal;
function goneOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}

/**
 * In development and tests an answer that its contract does not describe is a failure, not a surprise for a client.
 * A build answers without looking twice.
 */
function checkAnswer(route: Route, json: unknown): void {
  if (!import.meta.env.DEV) return;
  const sent: unknown = JSON.parse(JSON.stringify(json ?? null));
  const result = route.declaration.output?.safeParse(sent);
  if (!result) throw new Error(`${route.key} answers JSON but declares none`);
  if (!result.success) throw new Error(`${route.key} breaks its contract: ${JSON.stringify(result.error.issues)}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data ?? null)), sent)) {
    throw new Error(
      `${route.key} answers fields that its contract does not know: ${JSON.stringify(sent).slice(0, 2_000)}`,
    );
  }
}

async function runForAnswer(call: AnyCall, route: Route): Promise<StoredAnswer> {
  let status: number = route.declaration.status ?? 200;
  const setStatus = (known: number) => {
    status = known;
  };
  const answered = await route.handler({ ...call, setStatus });
  if (!('json' in answered)) throw new Error(`${route.key} is idempotent and must answer JSON`);
  checkAnswer(route, answered.json);
  return { status, json: answered.json };
}

/** The answer without its secret: what is shown once is kept nowhere. */
function without(json: unknown, field: string): unknown {
  return Object.fromEntries(Object.entries(json as object).filter(([name]) => name !== field));
}

function answerStored(
  req: IncomingMessage,
  res: ServerResponse,
  route: Route,
  stored: StoredAnswer & { replayed: boolean },
): Promise<void> {
  if (stored.replayed && route.declaration.shownOnce !== undefined) {
    throw new HttpError(409, 'SHOWN_ONCE', 'This was done, and its secret is shown only once.', {
      details: stored.json,
    });
  }
  if (stored.replayed) res.setHeader('Idempotency-Replayed', 'true');
  return sendJson(req, res, { ...stored, cache: route.declaration.cache });
}

async function answer(req: IncomingMessage, res: ServerResponse, route: Route, call: AnyCall): Promise<void> {
  res.statusCode = route.declaration.status ?? 200;
  const answered = await route.handler(call);
  if ('json' in answered) {
    checkAnswer(route, answered.json);
    return sendJson(req, res, { status: res.statusCode, json: answered.json, cache: route.declaration.cache });
  }
  if ('file' in answered)
    return sendFile(req, res, { file: answered.file as FileAnswer, cache: route.declaration.cache });
  res.setHeader('Cache-Control', 'no-store');
  if ('stream' in answered) return sendStream(req, res, answered);
  if ('redirect' in answered) {
    res.statusCode = 302;
    res.setHeader('Location', answered.redirect);
  } else res.statusCode = 204;
  res.end();
}
