import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Empty } from '../../ui/states.tsx';
import { whenWord } from '../engagement/words.ts';

/** Who did what here, to whom and why, the latest first. */
export function Audit({ communityId }: { communityId: string }) {
  const [typed, setTyped] = useState('');
  const action = useDeferredValue(typed.trim()) || undefined;
  const usePage = (after: string | undefined) =>
    useQuery(read('GET /api/communities/:communityId/audit', { communityId }, { action, after }));
  return (
    <>
      <div className="filters">
        <Field
          label={m.leader_audit_filter()}
          hint={m.leader_audit_filter_hint()}
          type="search"
          maxLength={60}
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onValue={setTyped}
        />
      </div>
      <Pages key={action ?? ''} usePage={usePage}>
        {({ items }, isFirst) =>
          items.length === 0 ? (
            isFirst && (
              <Empty title={action ? m.leader_audit_none_such() : m.leader_audit_none()} line={m.leader_audit_line()} />
            )
          ) : (
            <Card className="rows">
              <ul className="list">
                {items.map((entry) => (
                  <li key={entry.id} className="audit">
                    <span className="chip chip-code">{entry.action}</span>
                    <p className="sm">
                      {[entry.by ?? m.leader_audit_server(), entry.subject].filter(Boolean).join(' → ')}
                      {entry.reason && <span className="mut"> {m.member_in_quotes({ words: entry.reason })}</span>}
                    </p>
                    <span className="xs mut">{whenWord(entry.at)}</span>
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Pages>
    </>
  );
}
