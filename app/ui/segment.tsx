import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';

/** How far along the row a key moves; the arrows swap in right-to-left scripts. */
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * A choice of few, side by side: one tab stop, with arrow keys inside. Space or Enter chooses, because a choice may be
 * a command. `label` names the group.
 */
export function Segment<T extends string>(props: {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}) {
  const row = useRef<HTMLDivElement>(null);
  // Where the options overflow, on a small phone or with large letters, the chosen one scrolls into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is at another position
  useLayoutEffect(() => {
    const [box, chosen] = [row.current, row.current?.querySelector('[aria-checked="true"]')].map((element) =>
      element?.getBoundingClientRect(),
    );
    if (box && chosen) row.current?.scrollBy({ left: chosen.left + chosen.width / 2 - box.left - box.width / 2 });
  }, [props.value]);
  const step = (event: KeyboardEvent<HTMLButtonElement>, from: number) => {
    const by = STEPS[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const isMirrored = /Left|Right/.test(event.key) && getComputedStyle(event.currentTarget).direction === 'rtl';
    const { length } = props.options;
    row.current?.querySelectorAll('button')[(from + (isMirrored ? -by : by) + length) % length]?.focus();
  };
  return (
    <div ref={row} className="segment" role="radiogroup" aria-label={props.label}>
      {props.options.map((option, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio input draws its own mark and cannot contain the text
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === props.value}
          tabIndex={option.value === props.value ? 0 : -1}
          onClick={() => props.onChange(option.value)}
          onKeyDown={(event) => step(event, index)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
