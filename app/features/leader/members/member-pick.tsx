import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Member } from '../../../../server/contract/members.ts';
import { number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { roleWord } from '../../../shared/tasks/words.ts';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { ListRow } from '../../../ui/card.tsx';
import { SearchField } from '../../../ui/pages.tsx';
import { Reading } from '../../../ui/states.tsx';

export function MemberPick({ communityId, onPick }: { communityId: string; onPick: (member: Member) => void }) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim()) || undefined;
  const query = useQuery(
    read('GET /api/communities/:communityId/members', { communityId }, { search, role: 'member', order: 'name' }),
  );
  return (
    <>
      <SearchField label={m.leader_find_member()} typed={typed} find={setTyped} />
      <Reading query={query}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p className="text-small text-muted">{m.leader_nobody_found()}</p>
          ) : (
            <>
              <ul className="ruled-list">
                {items.map((member) => (
                  <li key={member.id}>
                    <ListRow
                      lead={<PersonAvatar name={member.displayName} />}
                      title={member.displayName}
                      line={member.telegramUsername ? `@${member.telegramUsername}` : roleWord(member.role)}
                      onPress={() => onPick(member)}
                    />
                  </li>
                ))}
              </ul>
              {total > items.length && (
                <p className="text-small text-muted">{m.people_found_more({ n: number(items.length) })}</p>
              )}
            </>
          )
        }
      </Reading>
    </>
  );
}
