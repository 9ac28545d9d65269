/** OAuth tokens of a member who agreed to checks. */
export type XTokens = { access: string; refresh: string; expiresInS: number };

/** A page of what a member or a post has, the latest first. `rows`: what X bills. */
export type Look = { seen: boolean; more: boolean; rows: number };

/** The product's view of X: OAuth 2.0 with PKCE, oEmbed, and what tasks are checked by. */
export type X = {
  configured: boolean;
  /** `checks`: also requests the scopes for task checks and offline access. */
  authorizationUrl(input: { state: string; codeVerifier: string; redirectUri: string; checks: boolean }): URL;
  /**
   * Exchanges the code and reads the user. Returns tokens only where the member agreed to checks. Throws `HttpError`
   * when X rejects it (codes live 30 seconds).
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
   * Whether `target` (a name for `follow`, else a post's id) is among the latest `rows`; null where X denies access to
   * this token. Throws 503 `X_UNAVAILABLE` with `retryAfterSeconds`.
   */
  look(
    access: string,
    query: { kind: 'follow' | 'like' | 'repost'; xUserId: string; target: string; rows: number },
  ): Promise<Look | null>;
  /** What a post answers or quotes, by number; null where X does not show it to this token. Throws as `look` does. */
  answersOf(access: string, postId: string): Promise<{ repliedTo: string[]; quoted: string[] } | null>;
  /** URLs at X that open the action to do. */
  intents: { post: string; follow: string; like: string; repost: string };
  /** Reads a post's public content; null when there is none. Throws 503 `X_UNAVAILABLE`. Nothing is stored. */
  publicPost(post: { handle: string; postId: string }): Promise<{ author: string; text: string } | null>;
};
