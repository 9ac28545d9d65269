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
/** Whether id tokens carry the nonce: Telegram's were measured `absent`. */
export type NonceMode = 'absent' | 'echo' | 'wrong';

/** The query with its order and every repeated name kept. */
export const queryOf = (req: Request): URLSearchParams =>
  new URL(req.originalUrl, 'http://sandbox.invalid').searchParams;

/** A form body, whatever else was sent reads as empty. */
export const formOf = (req: Request): URLSearchParams =>
  new URLSearchParams(typeof req.body === 'string' ? req.body : '');
