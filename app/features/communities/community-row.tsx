import './community-row.css';
import type { ReactNode } from 'react';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { m } from '../../paraglide/messages.js';
import { memberCount, roleWord, taskCount } from '../../shared/tasks/words.ts';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { Anchor } from '../../ui/button.tsx';
import { Card, Chip } from '../../ui/card.tsx';

/** A community in the directory: its name links to its page; `end` holds the action. */
export function CommunityCard({ community, end }: { community: CommunitySummary; end?: ReactNode }) {
  const { name, slug, description, members, openTasks, role, tags, visibility, featured } = community;
  return (
    <Card className="community-card">
      <CommunityAvatar name={name} size={48} />
      <div className="flex-grow">
        <h3>
          <Anchor to="/community/$communityId" params={{ communityId: slug }} className="community-card__name">
            {name}
          </Anchor>
        </h3>
        <p className="text-small text-muted">
          {m.member_members_and_tasks({ members: memberCount(members), tasks: taskCount(openTasks) })}
        </p>
        {description && <p className="text-small community-card__about">{description}</p>}
        {(role !== null || featured || visibility === 'private' || tags.length > 0) && (
          <p className="flex-row flex-wrap community-card__tags">
            {role !== null && (
              <Chip kind="ink" icon="check">
                {roleWord(role)}
              </Chip>
            )}
            {featured && <Chip kind="cross">{m.member_featured()}</Chip>}
            {visibility === 'private' && <Chip icon="lock">{m.member_private()}</Chip>}
            {tags.map((tag) => (
              <Chip key={tag}>{tag}</Chip>
            ))}
          </p>
        )}
      </div>
      {end && <div className="community-card__end">{end}</div>}
    </Card>
  );
}
