/** Long enough for a page that is being left to be gone. */
const LEAVING_MS = 500;

/**
 * Waits for a part of the program (`import()`). Firefox rejects an import that was under way when the person leaves the
 * page; that is no failure. So a rejection is told only by a page that still stands a moment later.
 */
export async function part<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    await new Promise((done) => setTimeout(done, LEAVING_MS));
    throw error;
  }
}
