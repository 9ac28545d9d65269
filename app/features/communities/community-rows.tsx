import './community-rows.css';
import type { MyCommunity } from '../../../server/contract/communities.ts';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { Anchor } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { needLine } from './standing-line.ts';

/** The member's communities with what each needs and whether its streak is open today; `here` is the open one. */
export function CommunityRows({ communities, here }: { communities: MyCommunity[]; here?: string }) {
  return (
    <Card className="card--rows">
      <ul className="ruled-list community-rows">
        {communities.map((community) => {
          const isHere = community.slug === here;
          return (
            <li key={community.id} data-here={isHere || undefined}>
              <Anchor
                className="list-row"
                to="/community/$communityId/dashboard"
                params={{ communityId: community.slug }}
                aria-current={isHere ? 'true' : undefined}
              >
                <span className="list-row__lead">
                  <CommunityAvatar name={community.name} />
                </span>
                <span>
                  <b>{community.name}</b>
                  <span className="list-row__line">{needLine(community)}</span>
                </span>
                <Icon name={isHere ? 'check' : 'forward'} size={16} />
              </Anchor>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
