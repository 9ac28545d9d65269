import type { QuizPack } from '../../../server/contract/quiz.ts';
import { cachesHere } from '../../lib/browser.ts';

/** What the plan says of a pack before its questions are there. A test holds it to the files. */
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

/** Each is a script of its own, which the service worker keeps with the rest of the app. */
const files = import.meta.glob<QuizPack>('./packs/*.json', { import: 'default' });

/** The practice questions of a pack, with their keys. @throws where there is no such pack, or it cannot be fetched */
export async function loadPack(id: string): Promise<QuizPack> {
  const load = files[`./packs/${id}.json`];
  if (!load) throw new Error(`There is no pack ${id}.`);
  return load();
}

/** Packs whose script lies in one of the device's caches, so that they open without a connection. */
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
