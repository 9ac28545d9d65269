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

type Item = { id: string };
type RowsProps<T> = {
  items: readonly T[];
  /** Cards of their own, one under another, in place of lines on one card. */
  cards?: boolean;
  /** The class of each row. */
  className?: string;
  children: (item: T) => ReactNode;
};

/** Things under one another, each in a row that `useListFocus` finds. */
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
 * A list read page by page: its rows, `head` above the first of them, and `none` where there is not one. `asked` is what is
 * asked for; another question begins at the first page.
 */
export function List<T extends Item, P extends Page & { items: T[] }>(
  props: Omit<RowsProps<P['items'][number]>, 'items'> & {
    asked?: string;
    usePage: UsePage<P>;
    reading?: typeof Reading;
    head?: (page: P) => ReactNode;
    none: ReactNode;
    isShown?: (item: P['items'][number]) => boolean;
  },
) {
  const { asked, usePage, reading, head, none, isShown, ...rows } = props;
  return (
    <Pages key={asked} usePage={usePage} {...(reading && { reading })}>
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

/** The field by which a list is searched. */
export function SearchField(props: { label: string; hint?: string; typed: string; find: (text: string) => void }) {
  const { typed, find, ...words } = props;
  return <Field {...words} type="search" maxLength={SEARCH_MAX} value={typed} onValue={find} />;
}

/** That nothing is found, with a way back to the whole list while something is asked for. */
export function NoneFound(props: {
  title: string;
  line?: string | undefined;
  act: string;
  onAll: (() => void) | null;
}) {
  const { title, line, act, onAll } = props;
  const all = onAll && (
    <Button kind="edge" onClick={onAll}>
      {act}
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
