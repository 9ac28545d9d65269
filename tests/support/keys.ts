import type { Locator } from 'playwright-core';

/** A page without a pointer: Tab, Enter, Space, arrows and letters are all there is here. */

/** More than any of these pages has to stop at. */
const STOPS = 150;

export const isFocused = (it: Locator) => it.evaluate((element) => element === document.activeElement);

/** Where it is from what has the focus. Asked in one go: hundreds of these make up most of a walk's time in Firefox. */
const whereIs = (it: Locator) =>
  it.evaluate((element): 'here' | 'behind' | 'ahead' => {
    const { activeElement: here, body } = document;
    if (here === element) return 'here';
    return here !== null && here !== body && (here.compareDocumentPosition(element) & 2) !== 0 ? 'behind' : 'ahead';
  });
/** A step towards it. Never past the last stop: Firefox's own bars come after that, and its driver finds no way back from them. */
const step = (it: Locator, where: 'behind' | 'ahead') =>
  it.page().keyboard.press(where === 'behind' ? 'Shift+Tab' : 'Tab');
/** Goes there by Tab alone. */
async function tabTo(it: Locator): Promise<void> {
  const one = it.first();
  await one.waitFor({ state: 'attached' });
  for (let stop = 0; stop < STOPS; stop += 1) {
    const where = await whereIs(one);
    if (where === 'here') return;
    await step(one, where);
  }
  throw new Error(`Tab does not lead to ${it}`);
}
export async function press(it: Locator, key = 'Enter'): Promise<void> {
  await tabTo(it);
  await it.page().keyboard.press(key);
}
export async function fill(it: Locator, text: string): Promise<void> {
  await tabTo(it);
  await it.page().keyboard.press('ControlOrMeta+a');
  await it.page().keyboard.type(text);
}
/** One of a group of radio buttons: Tab leads to the group, arrows through it. */
export async function choose(option: Locator): Promise<void> {
  await option.waitFor({ state: 'attached' });
  const { keyboard } = option.page();
  const isInGroup = () =>
    option.evaluate((it) => it.getAttribute('name') === document.activeElement?.getAttribute('name'));
  for (let stop = 0; stop < STOPS && !(await isInGroup()); stop += 1) {
    const where = await whereIs(option);
    if (where !== 'here') await step(option, where);
  }
  for (let each = 0; each < 10 && !(await isFocused(option)); each += 1) await keyboard.press('ArrowDown');
  if (!(await option.isChecked())) await keyboard.press('Space');
  if (!(await option.isChecked())) throw new Error(`no key chooses ${option}`);
}
