/** A page that is being left is gone within this time. */
const LEAVING_MS = 500;

/**
 * Waits for a chunk (`import()`). Firefox rejects an import when the person leaves the page, which is no failure. So a
 * rejection is passed on only if the page is still there a moment later.
 */
export async function part<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    await new Promise((done) => setTimeout(done, LEAVING_MS));
    throw error;
  }
}
