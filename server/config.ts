/** Everything the process is told from outside, checked once at start. See `readConfig`. */
export type Config = {
  port: number;
  host: string;
  /** Origin people type, never the Host header; decides the cookie's `__Host-` prefix and Secure. */
  publicOrigin: string;
  production: boolean;
  home: string;
  databaseUrl: string | null;
  productName: string;
  productSlug: string;
  productionHosts: readonly string[];
  telegram: {
    botToken: string | null;
    clientId: string | null;
    clientSecret: string | null;
    oidcIssuer: string;
    apiRoot: string;
    requiredChannel: string | null;
    webhookSecret: string | null;
  };
  x: {
    clientId: string | null;
    clientSecret: string | null;
    apiRoot: string;
    authorizeUrl: string;
    actionPoints: boolean;
  };
  logLevel: string;
};
