import { useLocation, useNavigate, useSearch as useRouterSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import type { Path, SearchOf } from './target.ts';

type Texts = Record<string, string>;
type Change<Search> = (change: { [Name in keyof Search]?: Search[Name] | null | undefined }, isStep?: boolean) => void;
/**
 * A route's query, and a setter that changes part of it in place: the screen can be linked to and reloaded. With
 * `isStep` the change is a history entry that Back undoes.
 */
export function useSearch<To extends Path>(_to: To): [SearchOf<To>, Change<SearchOf<To>>] {
  const search = useRouterSearch({ strict: false }) as SearchOf<To>;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const change: Change<SearchOf<To>> = (next, isStep = false) => {
    const all: Texts = {};
    for (const [name, value] of Object.entries({ ...search, ...next })) if (value != null) all[name] = String(value);
    void navigate({ to: pathname as '.', search: all as never, replace: !isStep, resetScroll: false });
  };
  return [search, change];
}

/**
 * A search field stored in the address as `search`. The address follows the field: the other way round, fast typing
 * would arrive out of order. `wanted` is the debounced text to query for.
 */
export function useTypedSearch([search, setSearch]: [{ search?: string }, Change<{ search?: string }>]) {
  const [typed, setTyped] = useState(search.search ?? '');
  const wanted = useDeferredValue(typed.trim()) || undefined;
  const find = (text: string) => {
    setTyped(text);
    setSearch({ search: text.trim() || null });
  };
  return { typed, wanted, find };
}
