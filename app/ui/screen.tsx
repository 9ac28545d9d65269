import { type ReactNode, useContext, useEffect } from 'react';
import { product } from '../lib/product.ts';
import type { Target } from '../lib/target.ts';
import { Anchor } from './button.tsx';
import { FrameContext } from './frame.tsx';
import { Icon } from './icon.tsx';
import { AsOf } from './stamp.tsx';

/**
 * One screen: the main landmark, exactly one `h1`, the document's title, an app bar on phones.
 * @param bar replaces the app bar (on Today it merges with the board); the `h1` is then for screen readers only
 * @param tab the browser tab's title, if it is longer than the heading
 * @param back the parent page; `label` is its name
 * @param asOf when the server gave the content, epoch ms; null when fresh
 * @param aside beside the content from 1180 px, below on narrower screens
 * @param contents links to the parts of a long page: beside it from 1180 px, above on narrower screens. They come first
 * in the document, too: a pre-rendered page is visible while it still arrives, and nothing may move
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
            <ChipSpace>{chip}</ChipSpace>
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
          <ChipSpace>{chip}</ChipSpace>
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

export function BackLink({ label, icon = 'back', ...target }: Target & { label: string; icon?: 'back' | 'close' }) {
  return (
    <Anchor {...target} className="icon-button" aria-label={label}>
      <Icon name={icon} size={24} />
    </Anchor>
  );
}

/**
 * Reserves space for the chip beside a phone's title: at least a mark and a number, and as much more as the title
 * leaves, so nothing moves when it appears.
 */
function ChipSpace({ children }: { children: ReactNode }) {
  return children === null ? null : <div className="page-head__chip only-phone">{children}</div>;
}
