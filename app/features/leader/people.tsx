import type { CommunityAdmin } from '../../../server/contract/communities.ts';
import { m } from '../../paraglide/messages.js';
import { PersonAvatar } from '../../ui/avatar.tsx';
import { Card, ListRow, SectionHead } from '../../ui/card.tsx';
import { day, number } from '../../ui/format.ts';
import { Empty } from '../../ui/states.tsx';
import { memberCount, roleWord } from '../engagement/words.ts';

/** Who belongs to the community, with their role and points. */
export function People({ admin: { people } }: { admin: CommunityAdmin }) {
  if (people.length === 0) return <Empty title={m.leader_nobody()} line={m.leader_nobody_line()} />;
  return (
    <>
      <SectionHead title={m.leader_tab_people()} end={<span className="sm mut">{memberCount(people.length)}</span>} />
      <Card className="rows">
        <ul className="list">
          {people.map((person) => (
            <li key={person.id}>
              <ListRow
                lead={<PersonAvatar name={person.displayName} />}
                title={person.displayName}
                line={m.leader_person_line({ role: roleWord(person.role), date: day(person.joinedAt) })}
                end={person.role === 'leader' ? null : <b className="num">{number(person.points)}</b>}
              />
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
