/** What X gave to be asked with as a member who agreed to that. */
export type XTokens = { access: string; refresh: string; expiresInS: number };

/** A page of what a member or a post has, the latest first. `rows`: what X bills. */
export type Look = { seen: boolean; more: boolean; rows: number };

/** The product's view of X: OAuth 2.0 with PKCE, oEmbed, and what tasks are checked by. */
export type X = {
  configured: boolean;
  /** `checks`: asks also for what tasks are checked by, and for being asked later. */
  authorizationUrl(input: { state: string; codeVerifier: string; redirectUri: string; checks: boolean }): URL;
  /**
   * Exchanges the code and reads who it is. Tokens only where the member agreed to checks; else none outlives this.
   * Throws `HttpError` when X refuses (X codes live 30 seconds).
   */
  identity(input: {
    code: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<{ xUserId: string; username: string; tokens: XTokens | null }>;
  /** New tokens for old; null where X takes the old one no more. Throws 503 `X_UNAVAILABLE`. */
  refresh(refreshToken: string): Promise<XTokens | null>;
  /** Has X forget a token and all that came of it; fine where it has. Throws 503 `X_UNAVAILABLE`. */
  revoke(token: string): Promise<void>;
  /**
   * Whether `target` (a name for `follow`, a post's number else) is among the latest `rows`; null where X does not let this
   * token see it. Throws 503 `X_UNAVAILABLE` with `retryAfterSeconds`.
   */
  look(
    access: string,
    asked: { kind: 'follow' | 'like' | 'repost'; xUserId: string; target: string; rows: number },
  ): Promise<Look | null>;
  /** What a post answers or quotes, by number; null where X does not show it to this token. Throws as `look` does. */
  answersOf(access: string, postId: string): Promise<{ repliedTo: string[]; quoted: string[] } | null>;
  /** Where X opens what is to be done, by what it is. */
  intents: { post: string; follow: string; like: string; repost: string };
  /** Reads what X shows of a post to everybody; null when it shows none. Throws 503 `X_UNAVAILABLE`. Nothing is kept. */
  publicPost(post: { handle: string; postId: string }): Promise<{ author: string; text: string } | null>;
};
