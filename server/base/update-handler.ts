import type { TransactionSql } from 'postgres';
import type { TelegramUpdate, UpdateKind } from '../contract/telegram.ts';
import type { Runtime } from './runtime.ts';

export type UpdateContext = {
  runtime: Runtime;
  now: Date;
  /**
   * Does something once the transaction is committed, such as answering an inline query; what it throws is logged and not tried
   * again. A message to a chat is queued in the transaction instead (`features/bot-messages`).
   */
  afterwards(task: () => Promise<void>): void;
};

/** What a feature does with updates of the Bot API. It is called once for each update, in the transaction that notes it as handled. */
export type UpdateHandler = {
  /** The kinds it is for: Telegram sends only those that some handler names. */
  of: readonly UpdateKind[];
  /** May throw: everything that this update changed is undone then, and the update comes again. */
  handle(tx: TransactionSql, update: TelegramUpdate, context: UpdateContext): Promise<void>;
};
