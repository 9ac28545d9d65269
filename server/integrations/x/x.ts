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
};
