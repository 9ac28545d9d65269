import '../../ui/desk.css';
import './people/people.css';
import { type ReactNode, useId, useState } from 'react';
import { DECISION_REASON_MAX } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { useDraft } from '../../lib/drafts.ts';
import { m } from '../../paraglide/messages.js';
import { Refused } from '../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../shared/commands/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { REASON_MIN } from '../../ui/reason-dialog.tsx';
import { toast } from '../../ui/toast.tsx';

/** An administrator's action, always with a reason. */
export type DeskAction = {
  name: string;
  icon: IconName;
  title: string;
  line: string;
  /** Says who reads the reason. */
  hint: string;
  /** The consequences, one a line. */
  happens: readonly string[];
  done: string;
  isGrave?: boolean;
  /** The button's label, if it says more than the title. */
  act?: string;
  /** Further input: its fields, their values, and a text for what is missing. */
  fields?: ReactNode;
  given?: unknown;
  held?: string | null;
  run: (reason: string, idempotencyKey: string) => Promise<unknown>;
};

/**
 * Actions on a subject; each opens a form that lists the consequences above its button.
 * @param about names the subject: drafts of reasons are stored on this device under it
 */
export function DeskActions(props: {
  id: string;
  about: string;
  actions: readonly DeskAction[];
  onDone: () => void;
  note?: string;
}) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section id={props.id} className="person-actions" aria-label={m.people_actions()}>
      <Card className="card--rows">
        <ul className="ruled-list">
          {props.actions.map((action) => (
            <li key={action.name}>
              {open === action.name ? (
                <DeskActionForm
                  about={props.about}
                  action={action}
                  onClose={() => setOpen(null)}
                  onDone={props.onDone}
                />
              ) : (
                <ListRow
                  lead={<Icon name={action.icon} />}
                  title={action.title}
                  line={action.line}
                  onPress={() => setOpen(action.name)}
                />
              )}
            </li>
          ))}
        </ul>
      </Card>
      <p className="text-small text-muted own-note">{props.note ?? m.desk_every_act()}</p>
    </section>
  );
}

/** The form of one action. */
export function DeskActionForm(props: { about: string; action: DeskAction; onClose: () => void; onDone: () => void }) {
  const { about, action, onClose, onDone } = props;
  const title = useId();
  const offline = useNeedsConnection();
  const { draft, change, drop } = useDraft(`${about}:${action.name}`, { reason: '' });
  const reason = draft.reason.trim();
  const command = useCommand(
    ({ reason }: { reason: string; given: unknown }, key) => action.run(reason, key),
    () => {
      drop();
      onClose();
      toast({ title: action.done });
      onDone();
    },
  );
  const isShort = seenLength(reason) < REASON_MIN;
  const held = offline ?? (isShort ? m.people_say_why() : (action.held ?? null));
  return (
    <form
      className={action.isGrave ? 'form-stack person-form person-form--grave' : 'form-stack person-form'}
      aria-labelledby={title}
      onSubmit={(event) => {
        event.preventDefault();
        if (held === null && !command.isPending) command.mutate({ reason, given: action.given ?? null });
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h3 id={title}>{action.title}</h3>
      <TextArea
        label={m.people_reason()}
        hint={action.hint}
        autoFocus
        rows={3}
        maxLength={DECISION_REASON_MAX}
        value={draft.reason}
        onValue={(text) => change({ reason: text })}
      />
      {action.fields}
      <div>
        <p className="text-small">
          <b>{m.people_what_happens()}</b>
        </p>
        <ul className="person-happens text-small">
          {action.happens.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      <Refused error={command.error} />
      <div className="actions">
        <Button type="submit" kind={action.isGrave ? 'no' : 'edge'} busy={command.isPending} disabledReason={held}>
          {action.act ?? action.title}
        </Button>
        <Button kind="words" onClick={onClose}>
          {m.leader_cancel()}
        </Button>
      </div>
    </form>
  );
}
