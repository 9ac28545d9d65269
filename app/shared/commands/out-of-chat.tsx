import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { CHAT_MEMBERSHIP_REQUIRED } from '../../../server/contract/chat-limits.ts';
import { call, HttpError } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { refetchChanged } from '../../lib/refetch.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button, OutButton } from '../../ui/button.tsx';
import { Forbidden } from '../../ui/states.tsx';

export type ChatNamed = { message: string; title: string; joinUrl: string | null };

/** The chat that a refusal names; null for other refusals. */
export function outOfChat(error: unknown): ChatNamed | null {
  if (!(error instanceof HttpError) || error.reason !== CHAT_MEMBERSHIP_REQUIRED) return null;
  const { title, joinUrl } = error.details as Omit<ChatNamed, 'message'>;
  return { message: serverWords(error), title, joinUrl };
}

/** Replaces a community's screen for a member who is not in its required chat. */
export function OutOfChat({ chat }: { chat: ChatNamed }) {
  const { communityId, communityName } = useParams({ strict: false });
  const community = communityId ?? communityName;
  return (
    <Forbidden
      title={m.shell_restricted_title()}
      line={chat.message}
      action={
        community === undefined ? undefined : (
          <WaysBack communityId={community} chat={chat} again={m.shell_restricted_try()} />
        )
      }
    />
  );
}

/** Links to join, and a button to check again: the refused reads are repeated once Telegram confirms. */
export function WaysBack(props: {
  communityId: string;
  chat: Pick<ChatNamed, 'title' | 'joinUrl'> | null;
  /** The button's label. */
  again?: string;
  onBack?: () => void;
}) {
  const { communityId, chat, again = m.chats_out_try(), onBack } = props;
  const client = useQueryClient();
  const isOnline = useOnline();
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  async function tryAgain(): Promise<void> {
    setBusy(true);
    const answer = await call('POST /api/communities/:communityId/chat-membership/check', {
      params: { communityId },
    }).catch(() => null);
    const out =
      answer?.chats.filter(({ gate, state }) => gate !== 'off' && (state === 'left' || state === 'kicked')) ?? [];
    const isBack = answer?.asked === true && out.length === 0;
    setMessage(!answer?.asked ? m.chats_out_unasked() : isBack ? null : m.chats_out_still());
    if (isBack) onBack?.();
    // Still outside the same chat: refetching would only be refused and redraw this screen.
    const isElsewhere = chat !== null && out.length > 0 && out.every(({ title }) => title !== chat.title);
    if (isBack || isElsewhere) await refetchChanged(client);
    setBusy(false);
  }
  return (
    <>
      {chat?.joinUrl && (
        <OutButton kind="edge" icon="send" href={chat.joinUrl} rel="noreferrer">
          {m.chats_out_join({ title: chat.title })}
        </OutButton>
      )}
      <Button
        icon="retry"
        busy={busy}
        disabledReason={isOnline ? null : m.chats_out_offline()}
        onClick={() => void tryAgain()}
      >
        {again}
      </Button>
      {message && <p role="status">{message}</p>}
    </>
  );
}
