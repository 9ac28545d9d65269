import { HttpError } from '../../lib/http.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty, Forbidden } from '../../ui/states.tsx';
import { OutOfChat, outOfChat } from '../commands/out-of-chat.tsx';

/** No such community, or a private one that does not show itself. */
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

/** A 403 of a community. While it is suspended members and leaders read why and until when, in the administrators' words. */
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
