import type { Step } from '../request-context.ts';
import type { Route } from '../route-table.ts';

/** Headers with which other sites may read what a route answers, its refusals too, or frame it. No other route has them. */
export function anySite({ declaration }: Route): Step {
  return (_req, res, next) => {
    if (declaration.anySite === undefined) return next();
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (declaration.anySite === 'read') res.setHeader('Access-Control-Allow-Origin', '*');
    // The page's own policy says which sites may frame it (`frame-ancestors`).
    else res.removeHeader('X-Frame-Options');
    next();
  };
}
