export const EXIT_USAGE = 64;

/** The operator asked for something that cannot be done; the message says what can. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
