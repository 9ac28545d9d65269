import { useCallback, useState } from 'react';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { m } from '../../paraglide/messages.js';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { Icon } from '../../ui/icon.tsx';
import { CommunitiesSheet } from '../communities/communities-sheet.tsx';

/** The community's name in the bar, which opens the member's list. */
export function CommunitySwitch({ community }: { community: CommunitySummary }) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <button type="button" className="app-bar__community" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <CommunityAvatar name={community.name} />
        <span>{community.name}</span>
        <span className="visually-hidden">{m.member_switch()}</span>
        <Icon name="down" size={16} />
      </button>
      <CommunitiesSheet here={community.slug} open={open} onClose={close} />
    </>
  );
}
