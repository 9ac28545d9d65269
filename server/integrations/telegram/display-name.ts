import { storable } from '../../base/text.ts';
import { isSeen, tidyName } from '../../domain/text.ts';

const DISPLAY_NAME_MAX = 128;

/** A name that can be seen: what was given, without control and direction characters; else the username; else "Member 1234". */
export function displayName(name: unknown, username: unknown, telegramUserId: string): string {
  return clean(name) || clean(username) || `Member ${telegramUserId.slice(-4)}`;
}

function clean(text: unknown): string {
  if (typeof text !== 'string') return '';
  if (!isSeen(text)) return '';
  const plain = storable(text).replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, ' ');
  return [...tidyName(plain).trim()].slice(0, DISPLAY_NAME_MAX).join('');
}
