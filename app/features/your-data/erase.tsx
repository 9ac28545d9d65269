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
import { Refused } from '../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../shared/commands/use-command.ts';
import { Anchor, Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';

/** As `ERASE_WORD` of the contract, whose schemas no page may bundle. */
const WORD = 'ERASE';

type ErasureRequest = { leavesCommunities: boolean };

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
  const offline = useNeedsConnection();
  const [word, setWord] = useState('');
  const [leaves, setLeaves] = useState(false);
  const communities = data.onlyLeaderOf;
  const command = useCommand(
    (asked: ErasureRequest, idempotencyKey) =>
      call('POST /api/user/erasure', { body: { word: WORD, ...asked }, idempotencyKey }),
    (erasure: Erasure) => {
      onDone(erasure);
      // The session is over: this device deletes the data, as all others will.
      void setMember(null)
        .catch(() => undefined)
        .then(() => forgetPerson({ userId: user.id }))
        .then(() => forgetMember(client));
    },
  );
  const isWord = word.trim().toUpperCase() === WORD;
  const held =
    offline ??
    (communities.length > 0 && !leaves
      ? m.data_erase_tick_first()
      : isWord
        ? null
        : m.data_erase_type_first({ word: WORD }));
  return (
    <form
      className="form-stack erase-form"
      aria-labelledby={title}
      onSubmit={(event) => {
        event.preventDefault();
        if (held === null && !command.isPending) command.mutate({ leavesCommunities: leaves });
      }}
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
              checked={leaves}
              onChange={({ currentTarget }) => setLeaves(currentTarget.checked)}
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
        value={word}
        onValue={setWord}
      />
      <Refused error={command.error} />
      <div className="actions">
        <Button type="submit" kind="no" busy={command.isPending} disabledReason={held}>
          {m.data_erase_act({ days: ERASURE_WAIT_DAYS })}
        </Button>
        <Button kind="words" onClick={onClose}>
          {m.data_erase_not()}
        </Button>
      </div>
    </form>
  );
}
