import type { Request } from 'express';
import type { SandboxState } from './state.ts';

/** What the sandbox's parts share. `state` is replaced by a reset. */
export type World = {
  url: string;
  appOrigin: string | undefined;
  now: () => Date;
  log: (line: string) => void;
  nonce: NonceMode;
  state: SandboxState;
  /** Drops connections that a `timeout` fault holds open. */
  releaseHeld(): void;
};
/** Whether id tokens carry the nonce: Telegram's were observed `absent`. */
export type NonceMode = 'absent' | 'echo' | 'wrong';

/** The query in its order with every repeated name. */
export const queryOf = (req: Request): URLSearchParams =>
  new URL(req.originalUrl, 'http://sandbox.invalid').searchParams;

/** A form body, whatever else was sent reads as empty. */
export const formOf = (req: Request): URLSearchParams =>
  new URLSearchParams(typeof req.body === 'string' ? req.body : '');
