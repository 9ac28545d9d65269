import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { m } from '../paraglide/messages.js';
import { Button } from './button.tsx';
import { Reading } from './states.tsx';

type Page = { next: string | null };
type Read<P> = Pick<UseQueryResult<P>, 'data' | 'error' | 'refetch'>;
/** A hook that reads one page. */
type UsePage<P> = (after: string | undefined) => Read<P>;

/**
 * A list read page by page, each page a cached read of its own. Give it a `key` of what is asked for, so that another
 * question begins at the first page. `children` draws one page; `isFirst` where an empty list is told.
 */
export function Pages<P extends Page>(props: {
  usePage: UsePage<P>;
  /** In place of `Reading`, where a read has other words for its states. */
  reading?: typeof Reading;
  children: (page: P, isFirst: boolean) => ReactNode;
}) {
  const [cursors, setCursors] = useState<(string | undefined)[]>([undefined]);
  return cursors.map((after, index) => (
    <OnePage
      key={after ?? ''}
      usePage={props.usePage}
      reading={props.reading ?? Reading}
      after={after}
      isFirst={index === 0}
      onMore={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : null}
    >
      {props.children}
    </OnePage>
  ));
}

/** Pages of things that lie one under another, each on a card of its own in a row named by `data-row`; `none` is told where there is not one. */
export function Stacked<T extends { id: string }>(props: {
  usePage: UsePage<{ items: T[]; next: string | null }>;
  none: ReactNode;
  isShown?: (item: T) => boolean;
  children: (item: T) => ReactNode;
}) {
  return (
    <Pages usePage={props.usePage}>
      {({ items }, isFirst) =>
        items.length === 0 ? (
          isFirst && props.none
        ) : (
          <ul className="stack">
            {items
              .filter((item) => props.isShown?.(item) ?? true)
              .map((item) => (
                <li key={item.id} data-row>
                  {props.children(item)}
                </li>
              ))}
          </ul>
        )
      }
    </Pages>
  );
}

function OnePage<P extends Page>(props: {
  usePage: UsePage<P>;
  reading: typeof Reading;
  after: string | undefined;
  isFirst: boolean;
  onMore: ((next: string) => void) | null;
  children: (page: P, isFirst: boolean) => ReactNode;
}) {
  const query = props.usePage(props.after);
  const { reading: Read } = props;
  return (
    <Read query={query}>
      {(page) => (
        <>
          {props.children(page, props.isFirst)}
          {props.onMore !== null && page.next !== null && (
            <p className="more-pages">
              <Button kind="edge" icon="down" onClick={() => page.next !== null && props.onMore?.(page.next)}>
                {m.leader_more()}
              </Button>
            </p>
          )}
        </>
      )}
    </Read>
  );
}
