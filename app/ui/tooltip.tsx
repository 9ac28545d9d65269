import { Tooltip } from 'radix-ui';
import { createContext, type ReactElement, type ReactNode, useContext } from 'react';
import { TOOLTIP_DELAY_MS, TOOLTIP_SKIP_DELAY_MS } from '../../server/contract/limits.ts';

const InScope = createContext(false);

/** Wraps everything that may show a tip: the first one is delayed, the next ones are not. */
export function Tips({ children }: { children: ReactNode }) {
  return (
    <InScope value={true}>
      <Tooltip.Provider delayDuration={TOOLTIP_DELAY_MS} skipDelayDuration={TOOLTIP_SKIP_DELAY_MS}>
        {children}
      </Tooltip.Provider>
    </InScope>
  );
}

/** Shows the name of an icon-only control, which carries the same name for screen readers. */
export function Tip({ words, children }: { words: string; children: ReactElement }) {
  if (!useContext(InScope)) return children;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tooltip" sideOffset={6}>
          {words}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
