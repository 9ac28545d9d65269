import { useQuery } from '@tanstack/react-query';
import { CHAT_MESSAGE_LENGTH_MAX, CHAT_MESSAGES_MAX } from '../../../../server/contract/chat-limits.ts';
import { LINK_MAX } from '../../../../server/contract/limits.ts';
import type { TaskSetup } from '../../../../server/contract/tasks.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Field, Select } from '../../../ui/field.tsx';
import { WholeField } from '../../../ui/whole-field.tsx';
import { sortWord } from '../parts/chats.tsx';
import type { Problem } from './task-draft.ts';

type Setup = Extract<TaskSetup, { kind: 'telegram_join' | 'telegram_chat' | 'telegram_reaction' }>;

/** What a task asks for in the community's chat. Without that chat nothing would ever be seen, which is said here. */
export function TelegramFields(props: {
  communityId: string;
  setup: Setup;
  found: ReadonlySet<Problem>;
  onSetup: (setup: TaskSetup) => void;
}) {
  const { communityId, setup, found, onSetup } = props;
  const chats = useQuery(read('GET /api/communities/:communityId/chats', { communityId })).data?.chats;
  const sort = setup.kind === 'telegram_join' ? setup.chat : 'group';
  const isMissing = chats !== undefined && !chats.some((chat) => chat.sort === sort);
  return (
    <>
      {isMissing && (
        <p className="quote quote--notice" role="status">
          {m.chats_setup_none({ sort: sortWord(sort).toLowerCase() })}
        </p>
      )}
      {setup.kind === 'telegram_join' && (
        <Select
          label={m.chats_setup_chat()}
          options={(['group', 'channel'] as const).map((value) => ({ value, label: sortWord(value) }))}
          value={setup.chat}
          onValue={(chat) => onSetup({ ...setup, chat })}
        />
      )}
      {setup.kind === 'telegram_chat' && (
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
      )}
      {setup.kind === 'telegram_reaction' && (
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
      )}
    </>
  );
}
