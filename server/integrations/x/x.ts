/** The product's view of X: OAuth 2.0 with PKCE and `GET /2/users/me`. */
export type X = {
  configured: boolean;
  authorizationUrl(input: { state: string; codeVerifier: string; redirectUri: string }): URL;
  /** Exchanges the code and reads who it is. Throws `HttpError` when X refuses (X codes live 30 seconds). */
  identity(input: {
    code: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<{ xUserId: string; username: string }>;
  /** Where X opens a post that is written for somebody. */
  intentUrl: URL;
  /** Reads what X shows of a post to everybody; null when it shows none. Throws 503 `X_UNAVAILABLE`. Nothing is kept. */
  publicPost(post: { handle: string; postId: string }): Promise<{ author: string; text: string } | null>;
};
