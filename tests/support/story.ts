/** Steps of the product's own story, played against a server and against the demo alike: only what a person sees and presses. */
import type { Page } from 'playwright-core';
import { write } from './browser.ts';

/** Where a story is played. Each answers the page, come anew to where that person stands. */
export type Stage = {
  /** A member, on Today. */
  member: () => Promise<Page>;
  /** A leader, at the queue of what waits. */
  leader: () => Promise<Page>;
  /** Waits until a decision on an answer with these words is where the member will read it. */
  decided: (words: string) => Promise<void>;
};

/** The sandbox's 1001, by first name, as the queue names who answered. */
const MEMBER = 'Maya';

const cardOf = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

/** A check-in that waits on Today is opened and pressed, and counts. */
export async function checksIn(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await page
    .getByText(/^Counted/)
    .first()
    .waitFor();
}

/** An answer is rejected with a reason, which the member reads; the second one is approved, and counts. */
export async function rejectedThenApproved(stage: Stage, title: string): Promise<void> {
  const submit = async (text: string) => {
    const page = await stage.member();
    await cardOf(page, title).getByRole('button').first().click();
    await write(page.getByRole('textbox'), text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await cardOf(page, title)
      .getByText(/^Received \d/)
      .waitFor();
  };
  const open = async (words: string) => {
    const page = await stage.leader();
    await page.getByRole('button', { name: new RegExp(`${MEMBER}.*${title}`) }).click();
    await page.getByText(words).first().waitFor();
    return page;
  };

  const [first, why, second] = [
    'Knee deep and fast.',
    'Where do you stand when you measure?',
    'From the second stone.',
  ];
  await submit(first);
  const queue = await open(first);
  await queue.getByRole('button', { name: 'Reject' }).first().click();
  await write(queue.getByRole('textbox'), why);
  // In a column beside the answer, or in a sheet over it.
  await queue
    .getByRole('button', { name: /^Reject/ })
    .last()
    .click();
  await stage.decided(first);

  await (await stage.member()).getByText(why).waitFor();
  await submit(second);
  await (await open(second)).getByRole('button', { name: 'Approve' }).first().click();
  await stage.decided(second);
  await cardOf(await stage.member(), title)
    .getByText(/^Counted/)
    .waitFor();
}
