import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { join, resolve } from 'node:path';
import { relay } from './relay.mjs';

/** A browser's only way out: a cable between two network namespaces, which can be pulled. */
export type Link = {
  /** A program of the same name and arguments that runs on the far side. */
  wrap(executable: string): string;
  cut(): void;
  mend(): void;
  remove(): void;
};

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/**
 * Lays a link over which `ports` of this machine's loopback are reachable at the same ports of the far side's.
 * Null where namespaces are not to be had: not root, not Linux, no `ip`.
 */
export async function layLink(ports: number[], folder: string): Promise<Link | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const space = `muster-${process.pid}`;
  const [near, far] = [`mu${process.pid}a`, `mu${process.pid}b`];
  const net = `10.213.${process.pid % 250}`;
  try {
    ip('netns', 'add', space);
  } catch {
    return null;
  }
  const servers: Server[] = [];
  let child: ChildProcess | undefined;
  const remove = () => {
    child?.kill();
    for (const server of servers) server.close();
    // The cable goes with the namespace.
    ip('netns', 'del', space);
  };
  const mend = () => {
    ip('-n', space, 'link', 'set', far, 'up');
    ip('-n', space, 'route', 'replace', 'default', 'via', `${net}.1`);
  };
  try {
    ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', space);
    ip('addr', 'add', `${net}.1/30`, 'dev', near);
    ip('link', 'set', near, 'up');
    ip('-n', space, 'addr', 'add', `${net}.2/30`, 'dev', far);
    ip('-n', space, 'link', 'set', 'lo', 'up');
    mend();
    for (const port of ports) servers.push(await relay({ address: `${net}.1`, port }, { address: '127.0.0.1', port }));
    const script = resolve(import.meta.dirname, 'relay.mjs');
    child = spawn('ip', ['netns', 'exec', space, process.execPath, script, `${net}.1`, ...ports.map(String)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (child.stdout) await once(child.stdout, 'data');
  } catch (error) {
    remove();
    throw error;
  }
  return {
    wrap(executable) {
      const path = join(folder, 'browser-behind-the-link');
      writeFileSync(path, `#!/bin/sh\nexec ip netns exec ${space} ${JSON.stringify(executable)} "$@"\n`);
      chmodSync(path, 0o755);
      return path;
    },
    cut: () => void ip('-n', space, 'link', 'set', far, 'down'),
    mend,
    remove,
  };
}
