import { type Failure, type Posting, sendOutward, type World } from './post.ts';

/** Sends a body and reads the answer's text under the rules of `post`. An answer longer than `maxBytes` is an error. */
export async function postForText(
  { maxBytes, ...posting }: Posting & { maxBytes: number },
  world: World = {},
): Promise<{ status: number; body: string } | Failure | { error: 'TOO_LONG' }> {
  const answer = await sendOutward({ ...posting, method: 'POST', readBytes: maxBytes }, world);
  if ('error' in answer) return answer;
  if (!answer.isWhole) return { error: 'TOO_LONG' };
  return { status: answer.status, body: answer.read.toString('utf8') };
}
