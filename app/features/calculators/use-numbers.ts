import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from '../../lib/search.ts';
import type { AnyCalculator } from './calculator.ts';
import { fromAddress, initialTexts, type Reading, readNumbers, type Texts, toAddress } from './read-numbers.ts';

/** Delay before the address is updated: browsers throttle history changes at slider speed. */
const WRITTEN_AFTER_MS = 300;

export type Numbers = Reading & {
  texts: Texts;
  /** Labels of address values that could not be used. */
  unusable: readonly string[];
  /** The parameters for the address, or null while a number is invalid. */
  query: Record<string, string> | null;
  set(changes: Texts): void;
  startAgain(): void;
};

const keyOf = (calculator: AnyCalculator, search: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.keys(calculator.inputs).map((name) => search[name] ?? null));

/** The fields, their result, and the address that they are read from and written to. */
export function useNumbers(calculator: AnyCalculator): Numbers {
  const navigate = useNavigate();
  const [search] = useSearch('/ai-defi-tools/$calculator');
  const address = keyOf(calculator, search);
  const [{ texts, unusable }, fill] = useState(() => fromAddress(calculator, search));
  const [isTouched, touch] = useState(false);
  const written = useRef(address);

  // The address changed from outside: a link with other numbers was followed.
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
