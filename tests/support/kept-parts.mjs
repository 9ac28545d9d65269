// @ts-check
/**
 * Parts of the build that this device does not keep yet; none when every screen opens without a network. Runs in the
 * page, so it may use nothing of this file. @returns {Promise<string[]>}
 */
export async function missingParts() {
  const worker = await (await fetch('/sw.js')).text();
  const list = /\/assets\/rest-[\w-]+\.json/.exec(worker)?.[0];
  if (!list) return ['no list'];
  /** @type {string[]} */
  const rest = await (await fetch(list)).json();
  const parts = [...(worker.match(/\/assets\/[\w./-]+\.(?:js|css|svg|woff2)\b/g) ?? []), ...rest];
  const kept = await Promise.all(parts.map((part) => caches.match(part)));
  return parts.filter((_part, index) => !kept[index]);
}
