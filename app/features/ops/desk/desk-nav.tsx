import '../../shell/member-frame.css';
import { useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { User } from '../../../../server/contract/user.ts';
import { product } from '../../../lib/product.ts';
import { m } from '../../../paraglide/messages.js';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { Anchor } from '../../../ui/button.tsx';
import { Chip, ListRow } from '../../../ui/card.tsx';
import { Icon, Logo } from '../../../ui/icon.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { type DeskPlace, deskPlaceOf, placesFor } from './desk-places.ts';

type Props = { user: User };

function usePlaces({ user }: Props): { places: DeskPlace[]; current: DeskPlace['name'] | null } {
  const { pathname } = useLocation();
  const { routesByPath } = useRouter();
  return { places: placesFor(user.role, routesByPath), current: deskPlaceOf(pathname) };
}

/** The side bar's content on the desk: every page of it, and the way back. */
export function DeskSide({ user, chip }: Props & { chip: ReactNode }) {
  const { places, current } = usePlaces({ user });
  return (
    <>
      <Anchor className="wordmark" to="/admin">
        <Logo />
        {product.name}
        <Chip>{m.desk_nav()}</Chip>
      </Anchor>
      {places.map(({ name, to, icon, words }) => (
        <Anchor key={name} className="side-bar__place" to={to} aria-current={name === current ? 'page' : undefined}>
          <Icon name={icon} />
          {words()}
        </Anchor>
      ))}
      <div className="side-bar__end">
        <div className="side-bar__chip">{chip}</div>
        <Anchor className="side-bar__place" to="/">
          <Icon name="back" />
          {m.desk_nav_back({ product: product.name })}
        </Anchor>
        <Anchor to="/profile">
          <PersonAvatar name={user.displayName} size={28} />
          {user.displayName}
        </Anchor>
      </div>
    </>
  );
}

/** The tab bar's content on the desk: four pages, and the others behind "More". */
export function DeskTabs({ user }: Props) {
  const { places, current } = usePlaces({ user });
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone somewhere is there
  useEffect(() => setOpen(false), [pathname]);
  const shown = places.filter(({ onPhone }) => onPhone);
  const others = places.filter(({ onPhone }) => !onPhone);
  return (
    <>
      {shown.map(({ name, to, icon, words }) => (
        <Anchor key={name} className="side-bar__place" to={to} aria-current={name === current ? 'page' : undefined}>
          <Icon name={icon} />
          {name === 'logs' ? m.desk_nav_logs_short() : words()}
        </Anchor>
      ))}
      <button
        type="button"
        className="tab-bar__more"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Icon name="more" />
        {m.desk_nav_more()}
      </button>
      <Sheet title={m.desk_nav_more_title()} open={open} onClose={() => setOpen(false)}>
        <ul className="ruled-list">
          {others.map(({ name, to, icon, words }) => (
            <li key={name}>
              <ListRow lead={<Icon name={icon} />} title={words()} to={to} />
            </li>
          ))}
          <li>
            <ListRow lead={<Icon name="back" />} title={m.desk_nav_back({ product: product.name })} to="/" />
          </li>
        </ul>
      </Sheet>
    </>
  );
}
