// @ts-check
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** How every browser of a test is started: nothing that it fetches or keeps is for its own sake. */
export const CHROMIUM_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/** @param {string} path */
const runnable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** @param {string} command @param {string[]} args */
const quietly = (command, args) => spawnSync(command, args, { stdio: 'ignore', timeout: 300_000 }).status === 0;

/** Installs a Debian package as root or through password-less sudo. @param {string} name */
function aptInstall(name) {
  if (process.platform !== 'linux' || !runnable('/usr/bin/apt-get')) return false;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (/** @type {string[]} */ ...args) => {
    const [command = '', ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    return quietly(command, rest);
  };
  const install = () => apt('install', '-y', '-qq', '--no-install-recommends', name);
  return install() || (apt('update', '-qq') && install());
}

/**
 * A program that Debian packages under its own name; it is installed where it is missing and we may.
 * @param {string} name @returns {string} path
 * @throws when it is not to be had
 */
export function needs(name) {
  const found = () =>
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(runnable);
  const path = found() ?? (aptInstall(name) ? found() : undefined);
  if (path) return path;
  throw new Error(`This test needs ${name}. Install it (Debian: apt-get install ${name}).`);
}

/**
 * The Chromium that the browser tier drives, looked for in this order: CHROMIUM_PATH, a system browser,
 * Debian's package where we may install it, Playwright's own download where the network allows it.
 * @returns {Promise<string>} path of the executable
 * @throws when there is none, naming what to install
 */
export async function findChromium() {
  const given = process.env['CHROMIUM_PATH'];
  if (given) {
    if (runnable(given)) return given;
    throw new Error(`CHROMIUM_PATH=${given} is not an executable`);
  }
  const system = () => SYSTEM.find(runnable);
  const found = system() ?? (aptInstall('chromium') ? system() : undefined);
  if (found) return found;
  const { chromium } = await import('playwright-core');
  if (runnable(chromium.executablePath())) return chromium.executablePath();
  const cli = createRequire(import.meta.url).resolve('playwright-core/cli.js');
  if (
    quietly(process.execPath, [cli, 'install', 'chromium-headless-shell', 'chromium']) &&
    runnable(chromium.executablePath())
  )
    return chromium.executablePath();
  throw new Error(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium; macOS: brew install --cask chromium) or set CHROMIUM_PATH=/path/to/chromium.',
  );
}

/** What drives WebKitGTK: its WebDriver and a screen that nobody looks at. @returns {string | undefined} path of the driver */
export function findWebkit() {
  const driver = '/usr/bin/WebKitWebDriver';
  return runnable(driver) && runnable('/usr/bin/Xvfb') ? driver : undefined;
}
export const WEBKIT_PACKAGES = 'webkit2gtk-driver xvfb';

/** Firefox for the full tier: FIREFOX_PATH, a system Firefox, or Debian's package. @returns {string | undefined} */
export function findFirefox() {
  const given = process.env['FIREFOX_PATH'];
  if (given) return given;
  const system = () =>
    ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'].find(runnable);
  return system() ?? (aptInstall('firefox-esr') ? system() : undefined);
}
