import { useQuery } from '@tanstack/react-query';
import type { MyChat } from '../../../server/contract/chats.ts';
import { number } from '../../lib/format.ts';
import { useOnline } from '../../lib/online.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { whenWord } from '../../shared/tasks/words.ts';
import { OutButton } from '../../ui/button.tsx';
import { Hatch } from '../../ui/icon.tsx';
import { Reading } from '../../ui/states.tsx';
import type { AskOf } from '../kind.ts';

type Ask = AskOf<'telegram_join' | 'telegram_chat' | 'telegram_reaction'>;

/** Shared by three kinds: `member` checks that each may have them. */
export const telegramParts = { Form: TelegramForm };

const CLAIM_WORDS = {
  telegram_join: m.chats_form_claim_join,
  telegram_chat: m.chats_form_claim_chat,
  telegram_reaction: m.chats_form_claim_reaction,
} as const;

/** A task in the community's Telegram chat: its link, what the bot has seen so far, and a button to check it. */
function TelegramForm({ ask, ...props }: FormProps & { ask: Ask }) {
  const { communityId } = props;
  const { form, send, result } = useAnswer(props, true);
  const isOnline = useOnline();
  const query = useQuery({
    ...read('GET /api/communities/:communityId/chat-membership', { communityId }),
    enabled: props.view.task.id !== 'preview',
  });
  const sort = ask.kind === 'telegram_join' ? ask.chat : 'group';
  return (
    <AnswerForm
      {...form}
      missing={null}
      problem={result.problem ?? (result.failed && (result.failed.reason ?? m.member_checked()))}
      onSend={() => void send({ kind: ask.kind })}
      icon="check"
      label={CLAIM_WORDS[ask.kind]()}
    >
      <Reading query={query}>
        {({ chats }) => <Chat ask={ask} chat={chats.find((chat) => chat.sort === sort)} {...props} />}
      </Reading>
      {!isOnline && <p className="text-small text-muted">{m.chats_form_offline()}</p>}
    </AnswerForm>
  );
}

function Chat({ ask, chat, ...props }: FormProps & { ask: Ask; chat: MyChat | undefined }) {
  if (!chat) return <p className="text-small">{m.chats_form_none()}</p>;
  const { title, joinUrl } = chat;
  const to = ask.kind === 'telegram_reaction' ? ask.link : joinUrl;
  return (
    <>
      {ask.kind === 'telegram_join' && <p className="text-small">{whereabouts(chat)}</p>}
      {ask.kind !== 'telegram_join' && <Seen ask={ask} {...props} />}
      {to !== null && (
        <div className="actions">
          <OutButton kind="edge" icon="send" href={to} rel="noreferrer">
            {ask.kind === 'telegram_reaction' ? m.chats_form_message() : m.chats_form_join({ title })}
          </OutButton>
        </div>
      )}
    </>
  );
}

function whereabouts({ title, state, checkedAt, unverifiable }: MyChat): string {
  if (unverifiable) return m.chats_form_blind({ title });
  if (state === 'unknown' || checkedAt === null) return m.chats_form_unknown({ title });
  const time = whenWord(checkedAt);
  return state === 'member' || state === 'restricted'
    ? m.chats_form_in({ title, time })
    : m.chats_form_out({ title, time });
}

/** How much the bot has seen in the task's current period. */
function Seen({ ask, communityId, view }: FormProps & { ask: Exclude<Ask, { kind: 'telegram_join' }> }) {
  const params = { communityId, taskId: view.task.id };
  const seen = useQuery(read('GET /api/communities/:communityId/tasks/:taskId/seen', params)).data;
  if (ask.kind === 'telegram_reaction') {
    return (
      <p className="text-small">
        {seen?.lastAt ? m.chats_form_reaction_seen({ time: whenWord(seen.lastAt) }) : m.chats_form_reaction_none()}
      </p>
    );
  }
  const done = Math.min(seen?.count ?? 0, ask.needed);
  const words = m.chats_form_progress({ done: number(done), needed: number(ask.needed) });
  return (
    <div>
      <p>{words}</p>
      <Hatch done={done / ask.needed} label={words} />
      <p className="text-small text-muted">{m.chats_form_length({ n: number(ask.minLength) })}</p>
    </div>
  );
}
