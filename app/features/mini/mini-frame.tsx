import type { AnyRouter } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTheme } from '../../lib/theme.ts';
import { hasUnsavedInput } from '../../lib/unsaved.ts';
import { useUnsent } from '../../lib/unsent.ts';
import { m } from '../../paraglide/messages.js';
import { toast, useToasts } from '../../ui/toast.tsx';
import type { TelegramClient } from './client.ts';
import { linkOf } from './links.ts';
import { MiniSheet } from './mini-sheet.tsx';

type Props = { client: TelegramClient; router: AnyRouter; showTheme: () => void; children: ReactNode };

/** Surrounds every screen of the Mini App: Telegram's buttons, confirmation and haptics, and external links. */
export function MiniFrame({ client, router, showTheme, children }: Props) {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const theme = useTheme();
  // A theme chosen here overrides Telegram's until it is reset.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice is read from storage
  useEffect(showTheme, [theme, showTheme]);
  useBackButton(client, router);
  useMainButton(client);
  useClosing(client);
  useTaps(client);
  useLinks(client);
  useEffect(() => {
    if (!client.since('7.0')) return;
    client.send('web_app_setup_settings_button', { is_visible: true });
    return client.on('settings_button_pressed', () => setSheetOpen(true));
  }, [client]);
  const close = useCallback(() => setSheetOpen(false), []);
  return (
    <>
      {children}
      <MiniSheet client={client} open={isSheetOpen} onClose={close} />
    </>
  );
}

const openDialog = () => [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1) ?? null;

/** Telegram's back button closes the top layer, then goes back a screen; it is hidden on the first one. */
function useBackButton(client: TelegramClient, router: AnyRouter): void {
  useEffect(() => {
    const mayGoBack = () => openDialog() !== null || router.history.canGoBack();
    let shown: boolean | null = null;
    const show = () => {
      if (shown === mayGoBack()) return;
      shown = mayGoBack();
      client.send('web_app_setup_back_button', { is_visible: shown });
    };
    const ends = [
      watchPage(show),
      router.subscribe('onResolved', show),
      client.on('back_button_pressed', () => {
        const dialog = openDialog();
        if (dialog) dialog.close();
        else if (router.history.canGoBack()) router.history.back();
      }),
    ];
    show();
    return () => {
      for (const end of ends) end();
    };
  }, [client, router]);
}

/** Telegram's main button mirrors the top layer's submit button, which stays for keyboards and screen readers. */
function useMainButton(client: TelegramClient): void {
  useEffect(() => {
    const sender = () => openDialog()?.querySelector<HTMLButtonElement>('form button[type="submit"]') ?? null;
    let reported = '';
    const show = () => {
      const button = sender();
      const written = getComputedStyle(document.documentElement);
      const main = {
        is_visible: button !== null,
        is_active: button !== null && button.getAttribute('aria-disabled') !== 'true',
        is_progress_visible: button?.getAttribute('aria-busy') === 'true',
        ...(button && { text: button.textContent.trim() }),
        color: written.getPropertyValue('--ink').trim(),
        text_color: written.getPropertyValue('--on-ink').trim(),
      };
      const next = JSON.stringify(main);
      if (next === reported || (button === null && reported === '')) return;
      reported = next;
      client.send('web_app_setup_main_button', main);
    };
    const stop = watchPage(show);
    const off = client.on('main_button_pressed', () => sender()?.click());
    return () => {
      stop();
      off();
    };
  }, [client]);
}

/** Unsent data makes the Mini App confirm before it closes. */
function useClosing(client: TelegramClient): void {
  const unsent = useUnsent().length;
  useEffect(() => {
    let reported = false;
    const show = () => {
      const needs = unsent > 0 || hasUnsavedInput();
      if (needs === reported) return;
      reported = needs;
      client.send('web_app_setup_closing_behavior', { need_confirmation: needs });
      // Scrolling a form must not close it.
      if (client.since('7.7')) client.send('web_app_setup_swipe_behavior', { allow_vertical_swipe: !needs });
    };
    const stop = watchPage(show);
    document.addEventListener('input', show);
    show();
    return () => {
      stop();
      document.removeEventListener('input', show);
      if (reported) client.send('web_app_setup_closing_behavior', { need_confirmation: false });
    };
  }, [client, unsent]);
}

/** Haptics: a light tap for a press, a notification for a counted or refused claim. */
function useTaps(client: TelegramClient): void {
  const [latest] = useToasts();
  const noted = useRef(0);
  useEffect(() => {
    if (!latest || latest.id <= noted.current) return;
    noted.current = latest.id;
    const kind = latest.urgent ? 'error' : latest.mark === 'ink' ? 'success' : null;
    if (kind) client.send('web_app_trigger_haptic_feedback', { type: 'notification', notification_type: kind });
  }, [client, latest]);
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      const pressed = target instanceof Element ? target.closest('.button, [role="tab"], [role="radio"]') : null;
      if (pressed && pressed.getAttribute('aria-disabled') !== 'true')
        client.send('web_app_trigger_haptic_feedback', { type: 'impact', impact_style: 'light' });
    };
    document.addEventListener('click', onPress);
    return () => document.removeEventListener('click', onPress);
  }, [client]);
}

/** External links open through Telegram: a frame could not show them. */
function useLinks(client: TelegramClient): void {
  useEffect(() => {
    const onPress = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      const way = link && linkOf(link.href, location.origin);
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      if (way.kind === 'telegram') client.send('web_app_open_tg_link', { path_full: way.path });
      if (way.kind === 'outside') client.send('web_app_open_link', { url: way.url });
      if (way.kind === 'sign-in')
        toast({
          icon: 'info',
          title: m.mini_closed(),
          line: m.mini_closed_line(),
          action: { label: m.mini_close(), onPress: () => client.send('web_app_close') },
        });
    };
    document.addEventListener('click', onPress, true);
    return () => document.removeEventListener('click', onPress, true);
  }, [client]);
}

/** Calls back, at most once a frame, when anything changes that Telegram's buttons mirror. Answers how to stop. */
function watchPage(changed: () => void): () => void {
  let isDue = false;
  const observer = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      changed();
    });
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['open', 'aria-disabled', 'aria-busy'],
  });
  return () => observer.disconnect();
}
