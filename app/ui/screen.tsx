import { type ReactNode, useContext, useEffect } from 'react';
import { product } from '../lib/product.ts';
import type { Target } from '../lib/target.ts';
import { Anchor } from './button.tsx';
import { FrameContext } from './frame.tsx';
import { Icon } from './icon.tsx';
import { AsOf } from './stamp.tsx';

/**
 * One screen: the main landmark, exactly one `h1`, the document's title, an app bar on the phone.
 * @param bar takes the place of the app bar (on Today it melts into the board); the `h1` is then for screen readers only
 * @param tab what the browser's tab says, where that is more than the heading
 * @param back the room this one belongs to; `label` is its name
 * @param asOf when the server gave what the screen shows, epoch ms; null when fresh
 * @param aside stands beside from 1180 px, below before that
 * @param contents the parts of a long page: beside from 1180 px, above before that. It is written above, too: a page that comes
 *   drawn is shown while it still arrives, and nothing may move for what comes last
 */
export function Screen(props: {
  title: string;
  tab?: string;
  lead?: ReactNode;
  back?: Target & { label: string };
  actions?: ReactNode;
  asOf?: number | null;
  onRetry?: () => unknown;
  aside?: ReactNode;
  contents?: ReactNode;
  bar?: ReactNode;
  children?: ReactNode;
}) {
  const { chip } = useContext(FrameContext);
  const tab = props.tab ?? props.title;
  useEffect(() => {
    document.title = `${tab} · ${product.name}`;
  }, [tab]);
  return (
    <main id="main" tabIndex={-1}>
      {props.bar !== undefined ? (
        <>
          <h1 className="visually-hidden">{props.title}</h1>
          <div className="app-bar app-bar--board only-phone">
            {props.bar}
            <ChipPlace>{chip}</ChipPlace>
          </div>
        </>
      ) : (
        <div className={props.asOf === undefined ? 'page-head' : 'page-head page-head--dated'}>
          {props.back ? (
            <div className="page-head__back">
              <BackLink {...props.back} />
              <h1>{props.title}</h1>
            </div>
          ) : (
            <h1>{props.title}</h1>
          )}
          <ChipPlace>{chip}</ChipPlace>
          <AsOf at={props.asOf} {...(props.onRetry && { onRetry: props.onRetry })} />
          {props.actions}
          {props.lead && <p className="page-head__lead">{props.lead}</p>}
        </div>
      )}
      <div className={props.bar !== undefined ? 'page page--board' : 'page'}>
        {props.aside === undefined && props.contents === undefined ? (
          <div className={props.bar === undefined ? 'page-gutter' : ''}>{props.children}</div>
        ) : (
          <div className="page-columns">
            {props.contents !== undefined && <aside>{props.contents}</aside>}
            <div>{props.children}</div>
            {props.aside !== undefined && <aside>{props.aside}</aside>}
          </div>
        )}
      </div>
    </main>
  );
}

/** An arrow back to the page that this one belongs to. */
export function BackLink({ label, icon = 'back', ...target }: Target & { label: string; icon?: 'back' | 'close' }) {
  return (
    <Anchor {...target} className="icon-button" aria-label={label}>
      <Icon name={icon} size={24} />
    </Anchor>
  );
}

/**
 * The room beside a title on the phone in which the chip comes and goes: there is always enough of it for a mark and a
 * number, and as much more as the title leaves, so that nothing ever moves for the chip.
 */
function ChipPlace({ children }: { children: ReactNode }) {
  return children === null ? null : <div className="page-head__chip only-phone">{children}</div>;
}
