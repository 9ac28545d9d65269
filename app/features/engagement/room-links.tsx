import { type ReactNode, useEffect, useRef } from 'react';
import { Anchor } from '../../ui/button.tsx';

/** The way between rooms of one place: one line that scrolls on a phone, with the room one is in always in view. */
export function RoomLinks<Room extends string>(props: {
  label: string;
  rooms: readonly Room[];
  current: Room;
  to: (room: Room) => string;
  children: (room: Room) => ReactNode;
}) {
  const { rooms, current } = props;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>(`[data-room="${current}"]`);
    if (here && list.current) list.current.scrollLeft = here.offsetLeft - list.current.clientWidth / 3;
  }, [current]);
  return (
    <nav className="room-links" aria-label={props.label}>
      <ul ref={list}>
        {rooms.map((room) => (
          <li key={room} data-room={room}>
            <Anchor to={props.to(room)} {...(room === current && { 'aria-current': 'page' as const })}>
              {props.children(room)}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
