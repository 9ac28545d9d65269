import { type Failure, sendOutward, type World } from './post.ts';

export type GetOptions = {
  url: URL;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** A longer answer is an error. */
  maxBytes: number;
};

/** Reads a text from an address of the open internet, under the rules of `post`. */
export async function get(
  options: GetOptions,
  world: World = {},
): Promise<{ status: number; body: string } | Failure | { error: 'TOO_LONG' }> {
  const { maxBytes, ...what } = options;
  const answer = await sendOutward({ ...what, method: 'GET', body: '', readBytes: maxBytes }, world);
  if ('error' in answer) return answer;
  if (!answer.isWhole) return { error: 'TOO_LONG' };
  return { status: answer.status, body: answer.read.toString('utf8') };
}
