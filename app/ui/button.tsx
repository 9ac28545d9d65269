import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useSyncExternalStore } from 'react';
import { acceptsCookies } from '../lib/browser.ts';
import type { Target } from '../lib/target.ts';
import { m } from '../paraglide/messages.js';
import { Icon, type IconName } from './icon.tsx';

/** `ink`: a screen's one primary button, `edge` secondary, `words` quiet, `no` destructive, `cross` for the board. */
export type ButtonKind = 'ink' | 'edge' | 'words' | 'no' | 'cross';
const CLASSES: Record<ButtonKind, string> = {
  ink: 'button',
  edge: 'button button--edge',
  words: 'button button--words',
  no: 'button button--danger',
  cross: 'button button--cross',
};
type Look = { kind?: ButtonKind; size?: 'lg'; icon?: IconName; children: ReactNode };
const classOf = ({ kind = 'ink', size }: Look, more?: string) =>
  [CLASSES[kind], size ? 'button--large' : '', more ?? ''].filter(Boolean).join(' ');

/**
 * A button; its label is a verb with its object from the catalogue, which breadcrumbs log (`features/shell/crumbs.ts`).
 * `disabledReason` keeps it focusable, dashed, with the reason in its label; `busy`: the press is being handled.
 */
export function Button(
  props: Look & { disabledReason?: string | null | undefined; busy?: boolean } & Omit<
      ComponentProps<'button'>,
      'disabled' | 'children'
    >,
) {
  const { kind, size, icon, disabledReason, busy, children, className, onClick, type = 'button', ...rest } = props;
  const held = Boolean(disabledReason) || busy === true;
  return (
    <button
      {...rest}
      type={type}
      className={classOf({ ...(kind && { kind }), ...(size && { size }), children }, className)}
      {...(held ? { 'aria-disabled': true } : {})}
      {...(busy ? { 'aria-busy': true } : {})}
      onClick={(event) => {
        if (held) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon && <Icon name={icon} />}
      {disabledReason ? (
        <span>
          {children}: {disabledReason}
        </span>
      ) : (
        children
      )}
    </button>
  );
}

export type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'target'> & { activeOptions?: { exact: boolean } };
const RouterLink = Link as (props: object) => ReactNode;

export const Anchor = (props: Target & LinkProps) => <RouterLink {...props} />;

export const ButtonLink = (props: Target & Look & LinkProps) => <RouterLink {...lookOf(props)} />;

/** A link out of the app: to a server response, another site, or another document of ours. */
export const OutLink = (props: { href: string } & ComponentProps<'a'>) => <a {...props} />;

export const OutButton = (props: { href: string } & Look & ComponentProps<'a'>) => <a {...lookOf(props)} />;

function lookOf<Props extends Look & { className?: string | undefined }>(props: Props) {
  const { kind, size, icon, children, className, ...rest } = props;
  return {
    ...rest,
    className: classOf({ ...(kind && { kind }), ...(size && { size }), children }, className),
    children: (
      <>
        {icon && <Icon name={icon} />}
        {children}
      </>
    ),
  };
}

/** An icon button; `label` is its accessible name. */
export function IconButton({
  icon,
  label,
  ...rest
}: { icon: IconName; label: string } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button type="button" {...rest} className={`icon-button ${rest.className ?? ''}`.trim()} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}

/** Starts Telegram sign-in, which returns to `next`, a path of this app. */
export const signInUrl = (next: string) => `/api/auth/telegram/start?next=${encodeURIComponent(next)}`;

const never = () => () => undefined;
/** Whether a sign-in can work here: it needs cookies. Pre-rendered pages assume them. */
export const useCookies = (): boolean => useSyncExternalStore(never, acceptsCookies, () => true);

/** 'Sign in with Telegram', returning to the current page; without cookies, it explains what is needed first. */
export function SignInLink({ next, kind, size, children }: Partial<Look> & { next?: string }) {
  const look = { ...(kind && { kind }), ...(size && { size }) };
  if (!useCookies())
    return (
      <Button {...look} disabledReason={m.shell_cookies_first()}>
        {children ?? m.shell_sign_in()}
      </Button>
    );
  const back = next ?? `${globalThis.location.pathname}${globalThis.location.search}`;
  return (
    <OutButton href={signInUrl(back)} {...look}>
      {children ?? m.shell_sign_in()}
    </OutButton>
  );
}
