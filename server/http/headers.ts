import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Runtime } from '../base/runtime.ts';
import { BUILD_HEADER } from '../contract/sw-messages.ts';
import { isSecure } from './cookies.ts';

const TWO_YEARS_S = 63_072_000;

/** Features that no page of ours uses. Only names that every engine knows: an unknown one logs a console error. */
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
 * Headers of a document that pages of these origins may frame. `X-Frame-Options` cannot name origins, so it is left
 * out.
 */
export function framedBy(headers: readonly [string, string][], origins: readonly string[]): [string, string][] {
  const ancestors = `frame-ancestors ${origins.join(' ')}`;
  return headers
    .filter(([name]) => name.toLowerCase() !== 'x-frame-options')
    .map(([name, value]) => [name, value.replace("frame-ancestors 'none'", ancestors)]);
}

/**
 * Headers of every answer, errors and `/sw.js` included: the build, and security (threat model, rows B5, I1–I3).
 * There is no CORS: no answer ever carries `Access-Control-*`. Nothing of a request decides about them, so they are
 * worked out once.
 */
export function headersOfAll({ config, build }: Pick<Runtime, 'config' | 'build'>): [name: string, value: string][] {
  const secure = isSecure(config);
  // The camera reads the code of an event, in our own pages alone.
  const permissions = ['camera=(self)', ...UNUSED_FEATURES.map((feature) => `${feature}=()`)].join(', ');
  const request = new IncomingMessage(new Socket());
  const answer = new ServerResponse(request);
  const headers = new Map<string, string>();
  answer.setHeader = (name, value) => {
    headers.set(name, String(value));
    return answer;
  };
  const secured = helmet({
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
    // For browsers that no longer exist, and each costs bytes on every answer.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    strictTransportSecurity: secure ? { maxAge: TWO_YEARS_S, includeSubDomains: config.hstsSubdomains } : false,
  });
  secured(request, answer, (error?: unknown) => {
    if (error) throw error;
  });
  headers.set('Permissions-Policy', permissions);
  headers.set(BUILD_HEADER, build);
  return [...headers];
}
