import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from '../../lib/search.ts';
import type { AnyCalculator } from './calculator.ts';
import { fromAddress, initialTexts, type Reading, readNumbers, type Texts, toAddress } from './read-numbers.ts';

/** The address follows when nothing has been typed for so long: browsers refuse to be told at every movement of a slider. */
const WRITTEN_AFTER_MS = 300;

export type Numbers = Reading & {
  texts: Texts;
  /** Labels of what the address had that could not be used. */
  unusable: readonly string[];
  /** What the address carries, or null while something is wrong. */
  query: Record<string, string> | null;
  set(changes: Texts): void;
  startAgain(): void;
};

const keyOf = (calculator: AnyCalculator, search: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.keys(calculator.inputs).map((name) => search[name] ?? null));

/** What stands in the fields, what it comes to, and the address that carries both in and out. */
export function useNumbers(calculator: AnyCalculator): Numbers {
  const navigate = useNavigate();
  const [search] = useSearch('/ai-defi-tools/$calculator');
  const address = keyOf(calculator, search);
  const [{ texts, unusable }, fill] = useState(() => fromAddress(calculator, search));
  const [isTouched, touch] = useState(false);
  const written = useRef(address);

  // An address that this page did not write itself: somebody followed a link to other numbers.
  useEffect(() => {
    if (address === written.current) return;
    written.current = address;
    fill(fromAddress(calculator, search));
  }, [address, calculator, search]);

  const reading = useMemo(() => readNumbers(calculator, texts), [calculator, texts]);
  const query = useMemo(
    () => (reading.values ? toAddress(calculator, reading.values, texts) : null),
    [calculator, reading, texts],
  );

  useEffect(() => {
    if (!isTouched || query === null) return;
    const timer = setTimeout(() => {
      const next = keyOf(calculator, query);
      if (next === written.current) return;
      written.current = next;
      void navigate({
        to: '/ai-defi-tools/$calculator',
        params: { calculator: calculator.id },
        search: query,
        replace: true,
        resetScroll: false,
      });
    }, WRITTEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [calculator, isTouched, navigate, query]);

  return {
    ...reading,
    texts,
    unusable,
    query,
    set(changes) {
      touch(true);
      fill({ texts: { ...texts, ...changes }, unusable: [] });
    },
    startAgain() {
      touch(true);
      fill({ texts: initialTexts(calculator), unusable: [] });
    },
  };
}
