import type { Logger } from 'pino';
import type { Sql } from 'postgres';
import type { Config } from '../config.ts';
import type { Prices } from '../integrations/prices/client.ts';
import type { PushSending } from '../integrations/push/pool.ts';
import type { Telegram } from '../integrations/telegram/telegram.ts';
import type { X } from '../integrations/x/x.ts';

/** What a runtime is made of. Tests bring their own clock and database. */
export type RuntimeParts = {
  config: Config;
  sql: Sql;
  log: Logger;
  telegram: Telegram;
  x: X;
  push: PushSending;
  prices: Prices;
  now: () => Date;
  build: string;
  startedAt: Date;
};

/** What lives as long as the process; handed to every handler. */
export type Runtime = RuntimeParts & {
  /**
   * A service of this runtime, created by `make` at first use. State between requests belongs to a runtime, never to a
   * module. `make` is the key, so it must be a function of a module.
   */
  own<T>(make: (runtime: Runtime) => T): T;
  /** Ends the services that hold connections open (`close`), so a server can drain. Storage is closed by its opener. */
  close(): Promise<void>;
};

export function createRuntime(parts: RuntimeParts): Runtime {
  const services = new Map<unknown, unknown>();
  const runtime: Runtime = {
    ...parts,
    own<T>(make: (runtime: Runtime) => T): T {
      if (!services.has(make)) services.set(make, make(runtime));
      return services.get(make) as T;
    },
    async close() {
      await Promise.all([...services.values()].map((service) => hasEnd(service) && service.close()));
    },
  };
  return runtime;
}

const hasEnd = (service: unknown): service is { close(): Promise<void> } =>
  typeof service === 'object' && service !== null && 'close' in service && typeof service.close === 'function';
