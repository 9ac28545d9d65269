import type { Logger } from 'pino';
import type { Sql } from 'postgres';
import type { Config } from '../config.ts';
import type { Prices } from '../integrations/prices/prices.ts';
import type { PushSending } from '../integrations/push/pool.ts';
import type { Telegram } from '../integrations/telegram/telegram.ts';
import type { X } from '../integrations/x/x.ts';

/** What lives as long as the process; handed to every handler. Tests build it with their own clock and database. */
export type Runtime = {
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
