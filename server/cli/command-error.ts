export const EXIT_USAGE = 64;

/** The operator asked for something impossible; the message says what is possible. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
