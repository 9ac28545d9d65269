import './assistant-screen.css';
import { useState } from 'react';
import { useUser } from '../../lib/query.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { IconButton } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/card.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Composer } from './composer.tsx';
import { Conversation, Suggestions } from './conversation.tsx';
import { useThreads } from './history.ts';
import { DeleteAll, HistoryList } from './history-list.tsx';
import { useKnowledge } from './knowledge.ts';
import { type Mode, type Modes, useModes } from './mode.ts';
import { useAssistant } from './use-assistant.ts';
import { HereOnly, WhereList } from './where.tsx';

/** The assistant for members: how things work, what their communities say, and their own standing. */
export function AssistantScreen() {
  const user = useUser();
  return user && <AssistantOf key={user.id} userId={user.id} />;
}

function AssistantOf({ userId }: { userId: string }) {
  const modes = useModes();
  const knowledge = useKnowledge(deviceWord());
  const history = useThreads(userId);
  const assistant = useAssistant({ mode: modes.mode, knowledge, store: history.keep });
  const [opened, setOpened] = useState<'where' | 'history' | null>(null);
  const close = () => setOpened(null);
  const { thread } = assistant;
  const list = (
    <HistoryList
      threads={history.threads}
      current={thread?.id ?? null}
      onOpen={(one) => {
        assistant.open(one);
        close();
      }}
      onRemove={(id) => {
        history.remove(id);
        if (thread?.id === id) assistant.open(null);
      }}
    />
  );
  const removeAll = (
    <DeleteAll
      count={history.threads.length}
      onDelete={() => {
        history.removeAll();
        assistant.open(null);
        close();
      }}
    />
  );
  return (
    <Screen
      title={m.assistant_title()}
      actions={
        <>
          <ModeBadge mode={modes.mode} onOpen={() => setOpened('where')} />
          <IconButton
            icon="clock"
            label={m.assistant_history()}
            className="only-narrow"
            onClick={() => setOpened('history')}
          />
        </>
      }
      aside={
        <div className="assistant-aside">
          <SectionHead title={m.assistant_history()} end={removeAll} />
          {list}
          <SectionHead title={m.assistant_where()} />
          <WhereList modes={modes} />
          <HereOnly modes={modes} />
        </div>
      }
    >
      <div className="assistant-frame">
        {thread ? (
          <Conversation thread={thread} assistant={assistant} standing={knowledge.standing} mode={modes.mode} />
        ) : (
          <Suggestions onAsk={(question) => void assistant.ask(question)} />
        )}
        <Composer
          isWriting={assistant.writing !== null}
          note={<Note modes={modes} />}
          onAsk={(question) => void assistant.ask(question)}
          onStop={assistant.stop}
          {...(thread && { onNew: () => assistant.open(null) })}
        />
      </div>
      <Sheet title={m.assistant_where()} open={opened === 'where'} onClose={close}>
        <p className="text-small text-muted">{m.assistant_where_line()}</p>
        <WhereList modes={modes} />
        <HereOnly modes={modes} />
        <StoredHistory />
      </Sheet>
      <Sheet title={m.assistant_history()} open={opened === 'history'} onClose={close}>
        {list}
        {removeAll}
      </Sheet>
    </Screen>
  );
}

const MODES: Record<Mode, { icon: IconName; words: () => string }> = {
  server: { icon: 'server', words: m.assistant_mode_server },
  browser: { icon: 'phone', words: m.assistant_mode_browser },
  quotes: { icon: 'text', words: m.assistant_mode_quotes },
};

/** Who answers: solid for a server, dashed for this device alone. */
export function ModeBadge({ mode, onOpen }: { mode: Mode; onOpen: () => void }) {
  const { icon, words } = MODES[mode];
  return (
    <button
      type="button"
      className={mode === 'server' ? 'mode-badge' : 'mode-badge mode-badge--device'}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      <Icon name={icon} />
      <span>{words()}</span>
      <Icon name="down" size={16} />
    </button>
  );
}

function StoredHistory() {
  const isPhone = useDeviceWord() === 'phone';
  return <p className="text-small text-muted">{isPhone ? m.assistant_kept_phone() : m.assistant_kept_computer()}</p>;
}

/** Where the next question goes. */
function Note({ modes: { mode, server, isHereOnly } }: { modes: Modes }) {
  const isPhone = useDeviceWord() === 'phone';
  if (mode === 'server' && server)
    return m.assistant_left({ count: server.left, n: `${server.left}`, all: `${server.perDay}` });
  if (server?.left === 0 && !isHereOnly) return m.assistant_used_up();
  return isPhone ? m.assistant_stays_phone() : m.assistant_stays_computer();
}
