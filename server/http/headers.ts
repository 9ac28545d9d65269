import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config.ts';
import { isSecure } from './cookies.ts';

const TWO_YEARS_S = 63_072_000;

/** Features that no page of ours uses. Only names every engine knows: an unknown one is a console error. */
const UNUSED_FEATURES = [
  'accelerometer',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
  'xr-spatial-tracking',
];

/**
 * Security headers of every answer, errors and `/sw.js` included (threat model, rows B5, I1–I3).
 * There is no CORS: no answer ever carries `Access-Control-*`.
 */
export function securityHeaders(config: Pick<Config, 'publicOrigin'>): RequestHandler[] {
  const secure = isSecure(config);
  // The camera reads the code of an event, in our own pages alone.
  const permissions = ['camera=(self)', ...UNUSED_FEATURES.map((feature) => `${feature}=()`)].join(', ');
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          fontSrc: ["'self'"],
          connectSrc: ["'self'"],
          workerSrc: ["'self'"],
          manifestSrc: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          requireTrustedTypesFor: ["'script'"],
          trustedTypes: ['muster'],
          ...(secure ? { upgradeInsecureRequests: [] } : {}),
        },
      },
      // Telegram's sign-in popup must be able to talk back to its opener.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      frameguard: { action: 'deny' },
      // For browsers that no longer exist; each costs bytes on every answer.
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
      strictTransportSecurity: secure ? { maxAge: TWO_YEARS_S, includeSubDomains: false } : false,
    }),
    (_req, res, next) => {
      res.setHeader('Permissions-Policy', permissions);
      next();
    },
  ];
}
