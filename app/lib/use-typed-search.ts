import { useDeferredValue, useState } from 'react';
import { useSearch } from './use-search.ts';

/**
 * What is typed to find something, kept in the address as `search`. The address follows the field, not the other way round: what
 * is typed fast would come out of order. `wanted` is what to ask for, a moment behind the field.
 */
export function useTypedSearch(): { typed: string; wanted: string | undefined; find: (text: string) => void } {
  const [search, setSearch] = useSearch();
  const [typed, setTyped] = useState(search['search'] ?? '');
  const wanted = useDeferredValue(typed.trim()) || undefined;
  const find = (text: string) => {
    setTyped(text);
    setSearch({ search: text.trim() || null });
  };
  return { typed, wanted, find };
}
