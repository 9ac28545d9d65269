import { type ReactNode, useState } from 'react';
import { CHAT_MEMBERSHIP_REQUIRED } from '../../../server/contract/chat-limits.ts';
import { isSettled } from '../../../worker/unsent.ts';
import { type OutboxEntry, retryEntry } from '../../lib/device.ts';
import { discard } from '../../lib/discard.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { ErrorCode } from '../../ui/states.tsx';
import { fieldProblem } from '../tasks/field-problem.ts';
import { WaysBack } from './out-of-chat.tsx';
import { SettledCommand } from './settled-command.tsx';

/**
 * A refused command, shown where it was made, with its reason and what the member can do. `children` are further
 * actions. A typing error is not shown as a refusal, since sending it again would not help.
 */
export function RefusedCommand({ entry, children }: { entry: OutboxEntry; children?: ReactNode }) {
  const [asking, setAsking] = useState(false);
  if (isSettled(entry)) return <SettledCommand entry={entry} />;
  const isMistyped = fieldProblem(entry) !== null;
  // Only a check with Telegram can help: sent again unchanged, it would be refused again.
  const isOut = entry.error?.reason === CHAT_MEMBERSHIP_REQUIRED;
  return (
    <>
      <Quote lead={isMistyped ? m.member_check_answer() : m.member_not_sent()} asks={isMistyped}>
        {entry.error && serverWords(entry.error)}
      </Quote>
      {entry.error && !isMistyped && <ErrorCode error={entry.error} />}
      {asking ? (
        <AskDiscard entry={entry} onCancel={() => setAsking(false)} />
      ) : (
        <div className="actions">
          {children}
          {isOut && <WaysBack communityId={entry.lane} chat={null} onBack={() => void retryEntry(entry.id)} />}
          {!isMistyped && !isOut && (
            <Button kind="edge" icon="retry" onClick={() => void retryEntry(entry.id)}>
              {m.member_retry()}
            </Button>
          )}
          <Button kind="words" icon="discard" onClick={() => setAsking(true)}>
            {m.member_discard()}
          </Button>
        </div>
      )}
    </>
  );
}

/** Asks for confirmation, because there is no other copy. */
export function AskDiscard(props: { entry: OutboxEntry; onCancel: () => void; onGone?: () => void }) {
  return (
    <div role="alert">
      <p className="text-small">{m.shell_queue_discard_line({ label: props.entry.label })}</p>
      <div className="actions">
        <Button kind="edge" autoFocus onClick={props.onCancel}>
          {m.shell_queue_keep()}
        </Button>
        <Button kind="no" icon="discard" onClick={() => void discard(props.entry).then(props.onGone)}>
          {m.shell_queue_discard()}
        </Button>
      </div>
    </div>
  );
}
