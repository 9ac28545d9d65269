import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Actor } from '../base/actor.ts';
import type { HttpError } from '../base/http-error.ts';
import type { FoundCommunity, PathCommunity } from './access.ts';
import type { HeldKey } from './api-key.ts';
import type { Cookies } from './cookies.ts';
import type { Command, Sender } from './idempotency.ts';

/** What belongs to one request, in `res.locals.context`. Each middleware of the chain adds what it found out. */
export type RequestContext = {
  readonly requestId: string;
  /** Names the request in every line. */
  readonly log: () => Logger;
  /** Address of the caller; see `callerReader`. */
  readonly ip: string;
  /** Key of the route that answers, from `identify` on. */
  route: string | null;
  /** The caller, set by `admit`, for the log. */
  userId: string | null;

  /** Set by `deadline`: aborted when the answer is late or the caller is gone. */
  over: AbortSignal;
  isLate: boolean;
  /** Restarts the time for the answer. */
  bodyRead: () => void;

  /** From `identify`: cookies and the bearer of an API key, as they were sent. */
  cookies: Cookies;
  bearer: string | null;

  /** Set by `limit`: who calls. */
  actor: Actor | null;
  key: HeldKey | null;
  /** The path's community where it was read with the caller; null where there is none. */
  found: FoundCommunity | null | undefined;

  /** From `admit`: the path's parameters, and the actor as long as they may enter as a member. */
  params: Record<string, string>;
  asker: Actor | null;

  /** From `community`. */
  community: PathCommunity | undefined;
  /** Why the community rejects a command; thrown once it is clear that this is no repeat. */
  refused: HttpError | null;

  /** From `command`: who sends one. */
  sender: Sender | null;

  /** Set by `body`: the command and its input. */
  command: Command | null;
  query: unknown;
  body: unknown;
};

type Locals = { context: RequestContext };
type Params = Record<string, string>;
/** One of our middlewares. */
export type Step = RequestHandler<Params, unknown, unknown, Request['query'], Locals>;
/** The same for what one of them threw. */
export type ErrorStep = ErrorRequestHandler<Params, unknown, unknown, Request['query'], Locals>;
/** A request with its response, as every step has them. */
export type ReqRes = {
  req: Request<Params, unknown, unknown, Request['query'], Locals>;
  res: Response<unknown, Locals>;
};

/** For requests that no route answers. */
const NEVER = new AbortController().signal;

export const newContext = (given: Pick<RequestContext, 'requestId' | 'log' | 'ip'>): RequestContext => ({
  requestId: given.requestId,
  log: given.log,
  ip: given.ip,
  route: null,
  userId: null,
  over: NEVER,
  isLate: false,
  bodyRead: () => undefined,
  cookies: {},
  bearer: null,
  actor: null,
  key: null,
  found: undefined,
  params: {},
  asker: null,
  community: undefined,
  refused: null,
  sender: null,
  command: null,
  query: undefined,
  body: undefined,
});
