import type { QuizPack } from '../../../server/contract/quiz.ts';
import { cachesHere } from '../../lib/browser.ts';

/** A pack's entry in the plan before its questions load. A test compares it with the files. */
export type PackInfo = { id: string; title: string; questions: number };
export const PACKS: readonly PackInfo[] = [
  { id: 'wallets-and-keys', title: 'Wallets and keys', questions: 15 },
  { id: 'transactions-and-gas', title: 'Transactions and gas', questions: 15 },
  { id: 'smart-contract-risk', title: 'Smart contract risk', questions: 15 },
  { id: 'defi', title: 'DeFi', questions: 15 },
  { id: 'stablecoins', title: 'Stablecoins', questions: 15 },
  { id: 'nfts-and-tokens', title: 'NFTs and tokens', questions: 15 },
  { id: 'scams-and-safety', title: 'Scams and safety', questions: 15 },
  { id: 'governance', title: 'Governance', questions: 15 },
  { id: 'layer-2-and-bridges', title: 'Layer 2 and bridges', questions: 15 },
  { id: 'privacy', title: 'Privacy', questions: 15 },
];

/** Each is its own chunk, which the service worker stores with the app. */
const files = import.meta.glob<QuizPack>('./packs/*.json', { import: 'default' });

/** A pack's practice questions, with their answers. @throws when there is no such pack, or it cannot be loaded */
export async function loadPack(id: string): Promise<QuizPack> {
  const load = files[`./packs/${id}.json`];
  if (!load) throw new Error(`There is no pack ${id}.`);
  return load();
}

/** Packs whose chunk is in one of the device's caches, so they open offline. */
export async function savedPacks(): Promise<ReadonlySet<string>> {
  const saved = new Set<string>();
  const caches = cachesHere();
  if (!caches) return saved;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const id = /\/assets\/([a-z0-9-]+)-[\w-]{8}\.js$/.exec(url)?.[1];
      if (id && PACKS.some((pack) => pack.id === id)) saved.add(id);
    }
  }
  return saved;
}
