import '../../ui/desk.css';
import './people/people.css';
import { type ReactNode, useId, useState } from 'react';
import { DECISION_REASON_MAX } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { m } from '../../paraglide/messages.js';
import { Form, useForm } from '../../shared/commands/form.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { REASON_MIN } from '../../ui/reason-dialog.tsx';
import { toast } from '../../ui/toast.tsx';

/** The form's part that an action's own fields use. */
export type Fields<Values> = {
  values: Values;
  change(part: Partial<Values>): void;
  field<Name extends keyof Values>(
    name: Name,
  ): { value: Values[Name]; error: string | null; onValue: (value: Values[Name]) => void };
};

/** An administrator's action, always with a reason. */
export type DeskAction<More extends object = object> = {
  name: string;
  icon: IconName;
  title: string;
  line: string;
  /** Says who reads the reason. */
  hint: string;
  /** The consequences, one a line. */
  happens: readonly string[];
  done(values: More): string;
  isGrave?: boolean;
  /** The button's label, if it says more than the title. */
  act?(values: More): string;
  /** Further input: its values as the form opens, its fields, and a text for what is missing. */
  more?: More;
  fields?(form: Fields<More>): ReactNode;
  blocked?(values: More): string | null;
  run(values: More & { reason: string }, idempotencyKey: string): Promise<unknown>;
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
  note: string | null;
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
      {props.note && <p className="text-small text-muted own-note">{props.note}</p>}
    </section>
  );
}

/** The form of one action. */
export function DeskActionForm(props: { about: string; action: DeskAction; onClose: () => void; onDone: () => void }) {
  const { about, action, onClose, onDone } = props;
  const title = useId();
  const form = useForm({
    draft: `${about}:${action.name}`,
    initial: { reason: '', ...action.more },
    blocked: (values) =>
      seenLength(values.reason) < REASON_MIN ? m.people_say_why() : (action.blocked?.(values) ?? null),
    body: (values) => ({ ...values, reason: values.reason.trim() }),
    send: (body, idempotencyKey) => action.run(body, idempotencyKey).then(() => true),
    done: (_, body) => {
      onClose();
      toast({ title: action.done(body) });
      onDone();
    },
  });
  return (
    <Form
      form={form}
      act={action.act?.(form.values) ?? action.title}
      kind={action.isGrave ? 'no' : 'edge'}
      onLeave={onClose}
      className={action.isGrave ? 'form-stack person-form person-form--grave' : 'form-stack person-form'}
      aria-labelledby={title}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h3 id={title}>{action.title}</h3>
      <TextArea
        label={m.people_reason()}
        hint={action.hint}
        autoFocus
        rows={3}
        maxLength={DECISION_REASON_MAX}
        {...form.field('reason')}
      />
      {action.fields?.(form)}
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
    </Form>
  );
}
