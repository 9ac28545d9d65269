import '../../../ui/member-frame.css';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { User } from '../../../../server/contract/user.ts';
import { product } from '../../../lib/product.ts';
import { m } from '../../../paraglide/messages.js';
import { PersonAvatar } from '../../../ui/avatar.tsx';
import { Anchor } from '../../../ui/button.tsx';
import { Chip, ListRow } from '../../../ui/card.tsx';
import { Icon, Logo } from '../../../ui/icon.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { type DeskPage, deskPageOf, deskPagesFor } from './desk-pages.ts';

type Props = { user: User };

function useDeskPages({ user }: Props): { pages: DeskPage[]; current: DeskPage['name'] | null } {
  const { pathname } = useLocation();
  return { pages: deskPagesFor(user.role), current: deskPageOf(pathname) };
}

/** A link to a page of the desk. Only the open page is marked: the router would also mark its parents. */
function DeskLink(props: { page: DeskPage; isCurrent: boolean; children: ReactNode }) {
  return (
    <Anchor
      {...props.page.link}
      className="side-bar__place"
      activeOptions={{ exact: true }}
      {...(props.isCurrent && { 'aria-current': 'page' as const })}
    >
      <Icon name={props.page.icon} />
      {props.children}
    </Anchor>
  );
}

/** The desk's side bar: all its pages, and the way back. */
export function DeskSide({ user, chip }: Props & { chip: ReactNode }) {
  const { pages, current } = useDeskPages({ user });
  return (
    <>
      <Anchor className="wordmark" to="/admin" activeOptions={{ exact: true }}>
        <Logo />
        {product.name}
        <Chip>{m.desk_nav()}</Chip>
      </Anchor>
      {pages.map((page) => (
        <DeskLink key={page.name} page={page} isCurrent={page.name === current}>
          {page.words()}
        </DeskLink>
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

/** The desk's tab bar: four pages, and the others behind "More". */
export function DeskTabs({ user }: Props) {
  const { pages, current } = useDeskPages({ user });
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(() => setOpen(false), [pathname]);
  const shown = pages.filter(({ onPhone }) => onPhone);
  const others = pages.filter(({ onPhone }) => !onPhone);
  return (
    <>
      {shown.map((page) => (
        <DeskLink key={page.name} page={page} isCurrent={page.name === current}>
          {page.name === 'logs' ? m.desk_nav_logs_short() : page.words()}
        </DeskLink>
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
          {others.map(({ name, link, icon, words }) => (
            <li key={name}>
              <ListRow lead={<Icon name={icon} />} title={words()} link={link} />
            </li>
          ))}
          <li>
            <ListRow
              lead={<Icon name="back" />}
              title={m.desk_nav_back({ product: product.name })}
              link={{ to: '/' }}
            />
          </li>
        </ul>
      </Sheet>
    </>
  );
}
