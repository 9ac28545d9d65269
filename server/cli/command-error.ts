import { type ParseArgsConfig, parseArgs } from 'node:util';

export const EXIT_USAGE = 64;

/** The operator asked for something impossible; the message says what is possible. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const usageError = (usage: string): CommandError => new CommandError(`Usage:\n${usage}`, EXIT_USAGE);

/** A command's arguments. @throws CommandError with its usage */
export function readArgs<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch {
    throw usageError(usage);
  }
}
