import { useQuery } from '@tanstack/react-query';
import { CHAT_MESSAGE_LENGTH_MAX, CHAT_MESSAGES_MAX } from '../../../server/contract/chat-limits.ts';
import type { ChatSort } from '../../../server/contract/chats.ts';
import { LINK_MAX } from '../../../server/contract/limits.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { sortWord } from '../../shared/tasks/words.ts';
import { Field, Select } from '../../ui/field.tsx';
import { WholeField } from '../../ui/whole-field.tsx';
import type { FieldsProps, LeaderParts } from '../kind.ts';

/** A message link as Telegram copies it. */
const MESSAGE_LINK = /^https:\/\/t\.me\/(c\/\d+|[a-z]\w{3,31})\/(\d+\/)?\d+(\?.*)?$/i;

export const telegramJoinEditor: LeaderParts<'telegram_join'> = {
  hint: m.chats_kind_join_hint,
  usualPoints: 20,
  empty: () => ({ kind: 'telegram_join', chat: 'group' }),
  preview: (setup) => setup,
  Fields: JoinFields,
};

export const telegramChatEditor: LeaderParts<'telegram_chat'> = {
  hint: m.chats_kind_chat_hint,
  usualPoints: 10,
  empty: () => ({ kind: 'telegram_chat', needed: 1, minLength: 10 }),
  preview: (setup) => setup,
  Fields: ChatFields,
};

export const telegramReactionEditor: LeaderParts<'telegram_reaction'> = {
  hint: m.chats_kind_reaction_hint,
  usualPoints: 5,
  empty: () => ({ kind: 'telegram_reaction', link: '' }),
  problems: ({ link }) => (MESSAGE_LINK.test(link.trim()) ? [] : ['message']),
  tidy: (setup) => ({ ...setup, link: setup.link.trim() }),
  preview: (setup) => setup,
  Fields: ReactionFields,
};

/** Without a linked chat, nothing would be detected. */
function MissingChat({ communityId, sort }: { communityId: string; sort: ChatSort }) {
  const chats = useQuery(read('GET /api/communities/:communityId/chats', { communityId })).data?.chats;
  if (chats === undefined || chats.some((chat) => chat.sort === sort)) return null;
  return (
    <p className="quote quote--notice" role="status">
      {m.chats_setup_none({ sort: sortWord(sort).toLowerCase() })}
    </p>
  );
}

function JoinFields({ communityId, setup, onSetup }: FieldsProps<'telegram_join'>) {
  return (
    <>
      <MissingChat communityId={communityId} sort={setup.chat} />
      <Select
        label={m.chats_setup_chat()}
        options={(['group', 'channel'] as const).map((value) => ({ value, label: sortWord(value) }))}
        value={setup.chat}
        onValue={(chat) => onSetup({ ...setup, chat })}
      />
    </>
  );
}

function ChatFields({ communityId, setup, onSetup }: FieldsProps<'telegram_chat'>) {
  return (
    <>
      <MissingChat communityId={communityId} sort="group" />
      <div className="two-columns">
        <WholeField
          label={m.chats_setup_needed()}
          hint={m.chats_setup_needed_hint()}
          min={1}
          max={CHAT_MESSAGES_MAX}
          value={setup.needed}
          onValue={(needed) => onSetup({ ...setup, needed })}
        />
        <WholeField
          label={m.chats_setup_length()}
          hint={m.chats_setup_length_hint()}
          min={1}
          max={CHAT_MESSAGE_LENGTH_MAX}
          value={setup.minLength}
          onValue={(minLength) => onSetup({ ...setup, minLength })}
        />
      </div>
    </>
  );
}

function ReactionFields({ communityId, setup, found, onSetup }: FieldsProps<'telegram_reaction'>) {
  return (
    <>
      <MissingChat communityId={communityId} sort="group" />
      <Field
        label={m.chats_setup_link()}
        hint={m.chats_setup_link_hint()}
        type="url"
        inputMode="url"
        maxLength={LINK_MAX}
        value={setup.link}
        error={found.has('message') ? m.chats_setup_link_wrong() : null}
        onValue={(link) => onSetup({ ...setup, link })}
      />
    </>
  );
}
