/** The app's appearance inside Telegram: its theme, and the edges that it covers. */
import type { TelegramClient } from './client.ts';
import { accentOf, schemeOf } from './colours.ts';
import { readTheme, type ThemeParams } from './launch.ts';

const ACCENT = ['--ink', '--ink-press', '--on-ink', '--ink-soft'];
const GROUNDS = ['--surface', '--canvas', '--sunken'];
type Edges = { top: number; bottom: number };

/**
 * Follows Telegram's theme and edges. `isOurs`: whether the person chose their own theme on this device. Answers a
 * function that applies the theme again.
 */
export function followLook(client: TelegramClient, first: ThemeParams, isOurs: () => boolean): () => void {
  let theme = first;
  const show = () => {
    const root = document.documentElement;
    const scheme = schemeOf(theme);
    if (scheme && !isOurs()) root.dataset['theme'] = scheme;
    for (const name of ACCENT) root.style.removeProperty(name);
    const written = getComputedStyle(root);
    const token = (name: string) => written.getPropertyValue(name).trim();
    // Telegram's accent only suits its own background.
    const fits = scheme === root.dataset['theme'];
    const accent = fits ? accentOf(theme, GROUNDS.map(token)) : null;
    for (const [name, value] of Object.entries(accent ?? {})) root.style.setProperty(name, value);
    const canvas = token('--canvas');
    for (const bar of ['header', 'background', 'bottom_bar'])
      client.send(`web_app_set_${bar}_color`, { color: canvas });
  };
  client.on('theme_changed', ({ theme_params }) => {
    theme = readTheme(theme_params);
    show();
  });
  const safe: Edges = { top: 0, bottom: 0 };
  const content: Edges = { top: 0, bottom: 0 };
  const take = (edges: Edges) => (data: Readonly<Record<string, unknown>>) => {
    for (const side of ['top', 'bottom'] as const) edges[side] = Math.max(0, Number(data[side]) || 0);
    const { style } = document.documentElement;
    style.setProperty('--mini-top', `${safe.top + content.top}px`);
    style.setProperty('--mini-bottom', `${safe.bottom + content.bottom}px`);
  };
  client.on('safe_area_changed', take(safe));
  client.on('content_safe_area_changed', take(content));
  show();
  client.send('web_app_request_theme');
  if (client.since('8.0')) {
    client.send('web_app_request_safe_area');
    client.send('web_app_request_content_safe_area');
  }
  return show;
}
