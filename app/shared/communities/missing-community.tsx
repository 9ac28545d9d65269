import { HttpError } from '../../lib/http.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, Forbidden } from '../../ui/states.tsx';
import { OutOfChat, outOfChat } from '../commands/out-of-chat.tsx';

/** The community does not exist, or is private and hidden. */
export function MissingCommunity() {
  return (
    <Empty
      illustration="gate"
      title={m.member_community_missing()}
      line={m.member_community_missing_line()}
      action={<ButtonLink to="/explore-communities">{m.member_explore()}</ButtonLink>}
    />
  );
}

/** A community's 403. While it is suspended, members and leaders read the administrators' reason and end date. */
export function RefusedCommunity({ error }: { error: Error | null }) {
  const chat = outOfChat(error);
  if (chat) return <OutOfChat chat={chat} />;
  return (
    <Forbidden
      {...(isSuspendedCommunity(error) && { title: m.member_community_suspended() })}
      {...(error instanceof HttpError && { line: serverWords(error) })}
    />
  );
}

export const isSuspendedCommunity = (error: unknown): boolean =>
  error instanceof HttpError && error.reason === 'COMMUNITY_SUSPENDED';
