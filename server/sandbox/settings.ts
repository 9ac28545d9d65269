import { REQUIRED_CHANNEL } from './state.ts';

/** Credentials that the sandbox accepts. They open nothing anywhere else. */
export const SANDBOX_BOT_TOKEN = '7000000001:AASandboxTokenThatOpensNothingAtAll';
export const SANDBOX_BOT_USERNAME = 'muster_sandbox_bot';
export const SANDBOX_CLIENT_ID = '7000000001';
export const SANDBOX_CLIENT_SECRET = 'sandbox-client-secret';
export const SANDBOX_X_CLIENT_ID = 'sandbox-x-client';
export const SANDBOX_X_CLIENT_SECRET = 'sandbox-x-secret';

/**
 * The environment that points the app at a sandbox: only credentials and base URLs, as an operator would set them.
 * `url` is the sandbox's origin, such as `http://127.0.0.1:3001`.
 */
export function sandboxEnvironment(url: string): Record<string, string> {
  return {
    TELEGRAM_BOT_TOKEN: SANDBOX_BOT_TOKEN,
    TELEGRAM_CLIENT_ID: SANDBOX_CLIENT_ID,
    TELEGRAM_CLIENT_SECRET: SANDBOX_CLIENT_SECRET,
    TELEGRAM_OIDC_ISSUER: url,
    TELEGRAM_API_ROOT: url,
    TELEGRAM_WEB_ORIGINS: url,
    TELEGRAM_REQUIRED_CHANNEL: REQUIRED_CHANNEL,
    TELEGRAM_WEBHOOK_SECRET: 'sandbox-webhook-secret',
    X_CLIENT_ID: SANDBOX_X_CLIENT_ID,
    X_CLIENT_SECRET: SANDBOX_X_CLIENT_SECRET,
    X_API_ROOT: url,
    X_AUTHORIZE_URL: `${url}/i/oauth2/authorize`,
    X_OEMBED_URL: `${url}/oembed`,
    // In the place of files that name others.
    TELEGRAM_WEBHOOK_SECRET_FILE: '',
    X_CLIENT_SECRET_FILE: '',
    // Nobody administrates it.
    NEW_COMMUNITIES_COUNT: 'on',
  };
}
