import './erase.css';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Erasure, OwnData } from '../../../server/contract/person-data.ts';
import { ERASURE_WAIT_DAYS } from '../../../server/contract/person-limits.ts';
import type { User } from '../../../server/contract/user.ts';
import { setMember } from '../../lib/device.ts';
import { forgetPerson } from '../../lib/forget-person.ts';
import { call } from '../../lib/http.ts';
import { forgetMember } from '../../lib/session.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { m } from '../../paraglide/messages.js';
import { Form, useForm } from '../../shared/commands/form.tsx';
import { Anchor, Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';

/** As `ERASE_WORD` of the contract, whose schemas no page may bundle. */
const WORD = 'ERASE';

/** What an erasure does, and the form that requests it: one press does nothing. `onDone` gets the recorded erasure. */
export function Erase(props: { user: User; data: OwnData; onDone: (erasure: Erasure) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card className="stack-medium">
      <p>{m.data_erase_line({ days: ERASURE_WAIT_DAYS })}</p>
      {isOpen ? (
        <EraseForm {...props} onClose={() => setOpen(false)} />
      ) : (
        <div className="actions">
          <Button kind="no" icon="discard" onClick={() => setOpen(true)}>
            {m.data_erase()}
          </Button>
        </div>
      )}
    </Card>
  );
}

function EraseForm(props: { user: User; data: OwnData; onDone: (erasure: Erasure) => void; onClose: () => void }) {
  const { user, data, onDone, onClose } = props;
  const client = useQueryClient();
  const title = useId();
  const communities = data.onlyLeaderOf;
  const form = useForm({
    initial: { word: '', leavesCommunities: false },
    blocked: ({ word, leavesCommunities }) => {
      if (communities.length > 0 && !leavesCommunities) return m.data_erase_tick_first();
      return word.trim().toUpperCase() === WORD ? null : m.data_erase_type_first({ word: WORD });
    },
    body: ({ leavesCommunities }) => ({ word: WORD, leavesCommunities }) as const,
    send: (body, idempotencyKey) => call('POST /api/user/erasure', { body, idempotencyKey }),
    done: (erasure) => {
      onDone(erasure);
      // The session is over: this device forgets as every other one will.
      void setMember(null)
        .catch(() => undefined)
        .then(() => forgetPerson({ userId: user.id }))
        .then(() => forgetMember(client));
    },
  });
  return (
    <Form
      form={form}
      act={m.data_erase_act({ days: ERASURE_WAIT_DAYS })}
      kind="no"
      more={
        <Button kind="words" onClick={onClose}>
          {m.data_erase_not()}
        </Button>
      }
      className="form-stack erase-form"
      aria-labelledby={title}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h3 id={title}>{m.data_erase_what()}</h3>
      <ol className="erase-happens">
        <li>{m.data_erase_1()}</li>
        <li>{m.data_erase_2({ days: ERASURE_WAIT_DAYS })}</li>
        <li>{m.data_erase_3()}</li>
        <li>{m.data_erase_4()}</li>
        <li>{m.data_erase_5({ device: deviceWord() })}</li>
        <li>{m.data_erase_6()}</li>
      </ol>
      {communities.length > 0 && (
        <div className="erase-communities">
          <p>
            <b>{m.data_erase_leader({ count: communities.length })}</b>
          </p>
          <ul className="ruled-list">
            {communities.map(({ id, slug, name, members }) => (
              <li key={id}>
                <Anchor to="/community/$communityId/admin/members" params={{ communityId: slug }}>
                  {name}
                </Anchor>
                <span className="text-small text-muted">{m.data_erase_members({ count: members, n: members })}</span>
              </li>
            ))}
          </ul>
          <p className="text-small text-muted">{m.data_erase_leader_line()}</p>
          <label className="tick-line">
            <input
              type="checkbox"
              checked={form.values.leavesCommunities}
              onChange={({ currentTarget }) => form.change({ leavesCommunities: currentTarget.checked })}
            />
            {m.data_erase_leader_tick({ count: communities.length })}
          </label>
        </div>
      )}
      <p className="text-small">{m.data_erase_last()}</p>
      <Field
        label={m.data_erase_word({ word: WORD })}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        {...form.field('word')}
      />
    </Form>
  );
}
