import type { Runtime } from '../base/runtime.ts';
import { admit } from './middleware/admit.ts';
import { answer } from './middleware/answer.ts';
import { anySite } from './middleware/any-site.ts';
import { body } from './middleware/body.ts';
import { command } from './middleware/command.ts';
import { community } from './middleware/community.ts';
import { deadline } from './middleware/deadline.ts';
import { identify } from './middleware/identify.ts';
import { limit } from './middleware/limit.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Step } from './request-context.ts';
import type { Route } from './route-table.ts';
import type { Streams } from './streams.ts';

/** What all requests of a process share. */
type Shared = { limiter: RateLimiter; streams: Streams };

/** The middlewares of one route. The body is not read before the caller is admitted. */
export const chainOf = (runtime: Runtime, { limiter, streams }: Shared, route: Route): Step[] => [
  deadline(route),
  ...[
    anySite(route),
    identify(route),
    limit(runtime, limiter, route),
    admit(runtime, route),
    community(runtime, route),
    command(runtime, route),
    body(runtime, route),
    answer(runtime, streams, route),
  ].map(unlessLate),
];

/** A caller who got a timeout is not served afterwards. */
const unlessLate =
  (step: Step): Step =>
  (req, res, next) => {
    if (!res.locals.context.isLate) return step(req, res, next);
  };
