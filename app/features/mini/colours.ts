/** Maps Telegram's colours to ours: the matching theme, and its accent where it is readable. Pure. */
import type { ThemeParams } from './launch.ts';

/** WCAG's minimum contrast for text. */
const READABLE = 4.5;
/** The accent's share in its soft background. */
const SOFT = 0.14;

type Rgb = readonly [number, number, number];
const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast of two colours as `#rrggbb`, 1 to 21 (WCAG 2). */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const mixed = (accent: string, ground: string): string => {
  const under = rgbOf(ground);
  return hexOf(rgbOf(accent).map((part, at) => part * SOFT + (under[at] ?? 0) * (1 - SOFT)) as unknown as Rgb);
};

/** Our theme that matches Telegram's background; null when it names none. */
export function schemeOf({ bg_color: ground }: ThemeParams): 'light' | 'dark' | null {
  if (ground === undefined) return null;
  return luminance(rgbOf(ground)) < 0.4 ? 'dark' : 'light';
}

/**
 * Our tokens with Telegram's accent as ink; null where text in it, on it or on its soft background would be unreadable.
 * `grounds`: our theme's text backgrounds, the surface first.
 */
export function accentOf(theme: ThemeParams, grounds: readonly string[]): Readonly<Record<string, string>> | null {
  const { button_color: accent, button_text_color: on } = theme;
  const [surface] = grounds;
  if (accent === undefined || on === undefined || surface === undefined) return null;
  const soft = mixed(accent, surface);
  const isReadable = [...grounds, soft, on].every((ground) => contrast(accent, ground) >= READABLE);
  return isReadable ? { '--ink': accent, '--ink-press': accent, '--on-ink': on, '--ink-soft': soft } : null;
}
