import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SEARCH_MAX } from '../../server/contract/limits.ts';
import { m } from '../paraglide/messages.js';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { Field } from './field.tsx';
import { Empty, Reading } from './states.tsx';

type Page = { next: string | null };
type Read<P> = Pick<UseQueryResult<P>, 'data' | 'error' | 'refetch'>;
type UsePage<P> = (after: string | undefined) => Read<P>;

/**
 * A paginated list; each page is its own cached read. Use the filters as `key`, so a change starts at the first page.
 * `children` draws one page; `isFirst` is where an empty list is reported.
 */
export function Pages<P extends Page>(props: {
  usePage: UsePage<P>;
  /** Replaces `Reading` for a read with other texts for its states. */
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

type Item = { id: string };
type RowsProps<T> = {
  items: readonly T[];
  /** Separate cards instead of rows on one card. */
  cards?: boolean;
  /** The class of each row. */
  className?: string;
  children: (item: T) => ReactNode;
};

/** Rows of items, marked for `useListFocus`. */
export function Rows<T extends Item>({ items, cards, className, children }: RowsProps<T>) {
  const list = (
    <ul className={cards ? 'stack' : 'ruled-list'}>
      {items.map((item) => (
        <li key={item.id} className={className} data-row>
          {children(item)}
        </li>
      ))}
    </ul>
  );
  return cards ? list : <Card className="card--rows">{list}</Card>;
}

/**
 * A paginated list: its rows, `head` above the first, and `none` when it is empty. `asked` holds the filters; a change
 * starts at the first page.
 */
export function List<T extends Item, P extends Page & { items: T[] }>(
  props: Omit<RowsProps<P['items'][number]>, 'items'> & {
    filters?: string;
    usePage: UsePage<P>;
    reading?: typeof Reading;
    head?: (page: P) => ReactNode;
    none: ReactNode;
    isShown?: (item: P['items'][number]) => boolean;
  },
) {
  const { filters, usePage, reading, head, none, isShown, ...rows } = props;
  return (
    <Pages key={filters} usePage={usePage} {...(reading && { reading })}>
      {(page, isFirst) =>
        page.items.length === 0 ? (
          isFirst && none
        ) : (
          <>
            {isFirst && head?.(page)}
            <Rows {...rows} items={isShown ? page.items.filter(isShown) : page.items} />
          </>
        )
      }
    </Pages>
  );
}

export function SearchField(props: { label: string; hint?: string; typed: string; find: (text: string) => void }) {
  const { typed, find, ...words } = props;
  return <Field {...words} type="search" maxLength={SEARCH_MAX} value={typed} onValue={find} />;
}

/** No results, with a way back to the whole list while it is filtered. */
export function NoneFound(props: {
  title: string;
  line?: string | undefined;
  action: string;
  onAll: (() => void) | null;
}) {
  const { title, line, action, onAll } = props;
  const all = onAll && (
    <Button kind="edge" onClick={onAll}>
      {action}
    </Button>
  );
  return <Empty title={title} line={line} action={all} />;
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
