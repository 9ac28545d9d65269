import { useLayoutEffect, useRef } from 'react';

/** One choice of few, side by side. `label` names the group. */
export function Segment<T extends string>(props: {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}) {
  const row = useRef<HTMLDivElement>(null);
  // Where they do not fit side by side, on a small phone or with large letters, the chosen one is among those in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice stands elsewhere
  useLayoutEffect(() => {
    const [box, chosen] = [row.current, row.current?.querySelector('[aria-pressed="true"]')].map((element) =>
      element?.getBoundingClientRect(),
    );
    if (box && chosen) row.current?.scrollBy({ left: chosen.left + chosen.width / 2 - box.left - box.width / 2 });
  }, [props.value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws its own box and cannot be a flex row everywhere
    <div ref={row} className="segment" role="group" aria-label={props.label}>
      {props.options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === props.value}
          onClick={() => props.onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
