import { ofFile } from './of-file.ts';
import { type Browser, startPushEndpoint, subscribe } from './push-endpoint.ts';
import { type NewPerson, type TestServerOptions, testServer } from './server.ts';
import { community, join } from './world.ts';

export type Someone = { userId: string; cookie: string; browser: Browser };

/** A server and the push service that it reaches, for the tests of a file. */
export async function openPushStage(options: TestServerOptions = {}) {
  const service = await ofFile(startPushEndpoint());
  const server = await ofFile(testServer({ ...options, pushWorld: service.world }));
  /** Somebody with a browser that is told. */
  const subscriber = async (person: NewPerson = {}, host?: string): Promise<Someone> => {
    const made = await server.person(person);
    const browser = service.browser(host);
    await subscribe(server, made.cookie, browser);
    return { ...made, browser };
  };
  /** A community whose leader, member and moderator each have such a browser. */
  const place = async () => {
    const [leader, member, moderator] = [await subscriber(), await subscriber(), await subscriber()];
    const { id } = await community(server, leader.userId);
    for (const [role, { userId }] of Object.entries({ leader, member, moderator } as const))
      await join(server.sql, id, userId, role as 'leader' | 'member' | 'moderator');
    return { id, leader, member, moderator };
  };
  return { service, server, subscriber, place };
}
