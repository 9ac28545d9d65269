import { exchange, type Failure, type World } from './post.ts';

export type Asking = {
  url: URL;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** A longer answer is an error. */
  maxBytes: number;
};

/** Reads a text from an address of the open internet, under the rules of `post`. */
export async function get(
  asking: Asking,
  world: World = {},
): Promise<{ status: number; body: string } | Failure | { error: 'TOO_LONG' }> {
  const { maxBytes, ...what } = asking;
  const answer = await exchange({ ...what, method: 'GET', body: '', readBytes: maxBytes }, world);
  if ('error' in answer) return answer;
  if (!answer.isWhole) return { error: 'TOO_LONG' };
  return { status: answer.status, body: answer.read.toString('utf8') };
}
