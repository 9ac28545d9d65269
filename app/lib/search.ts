import { useLocation, useNavigate, useSearch as useRouterSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import type { Path, SearchOf } from './target.ts';

type Texts = Record<string, string>;
type Change<Search> = (change: { [Name in keyof Search]?: Search[Name] | null | undefined }, isStep?: boolean) => void;
/**
 * The query of a route, and a way to change some of it in place: a screen that can be linked to and reloaded. With `isStep` it is a
 * step of its own, which the browser's Back undoes.
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
 * What is typed to find something, kept in the address as `search`. The address follows the field, not the other way round: what
 * is typed fast would come out of order. `wanted` is what to ask for, a moment behind the field.
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
