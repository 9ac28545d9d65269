import postgres from 'postgres';

type Options = postgres.Options<Record<string, postgres.PostgresType>>;

/**
 * A pool on a PostgreSQL URL. Beside the usual form it takes libpq's `?host=/directory` for a Unix socket, which the
 * driver does not read from a URL: `postgres://muster@localhost/muster?host=/run/postgresql`.
 */
export function connectTo(databaseUrl: string, options: Options = {}): postgres.Sql {
  const url = new URL(databaseUrl);
  const socket = url.searchParams.get('host');
  const quiet: Options = { onnotice() {}, ...options };
  if (!socket?.startsWith('/')) return postgres(databaseUrl, quiet);
  url.searchParams.delete('host');
  return postgres(url.href, { ...quiet, path: `${socket}/.s.PGSQL.${url.port || '5432'}` });
}
