import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SectionHead } from '../../../ui/card.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Sheet } from '../../../ui/sheet.tsx';
import { Empty, Reading } from '../../../ui/states.tsx';
import { Secret } from '../parts/secret.tsx';

type Words = { title: string; line: string };

/** Items with a secret: existing ones in rows marked by `data-row`, and a form for another, whose secret shows once. */
export function SecretList<T>(props: {
  title: string;
  query: Pick<UseQueryResult<T[]>, 'data' | 'error' | 'refetch'>;
  /** Label for making one. */
  make: string;
  /** Maximum number. */
  most?: number;
  none: Words;
  made: Words;
  /** The form for another one; `onMade` takes its secret. */
  form: (onMade: (secret: string) => void) => ReactNode;
  children: (items: readonly T[]) => ReactNode;
}) {
  const { query, make } = props;
  const list = useListFocus<HTMLElement>();
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const close = useCallback(() => setAdding(false), []);
  const count = query.data?.length ?? 0;
  const add = (
    <Button kind="edge" icon="plus" onClick={() => setAdding(true)}>
      {make}
    </Button>
  );
  return (
    <section ref={list}>
      <SectionHead title={props.title} end={count > 0 && count < (props.most ?? Infinity) ? add : undefined} />
      {secret !== null && <Secret {...props.made} secret={secret} onDone={() => setSecret(null)} />}
      <Reading query={query}>
        {(items) => (items.length === 0 ? <Empty {...props.none} action={add} /> : props.children(items))}
      </Reading>
      <Sheet title={make} open={adding} onClose={close}>
        {adding &&
          props.form((made) => {
            setSecret(made);
            close();
          })}
      </Sheet>
    </section>
  );
}
