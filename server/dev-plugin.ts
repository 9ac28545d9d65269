import { isRunnableDevEnvironment, type Plugin } from 'vite';

type DevRuntime = {
  app: (req: unknown, res: unknown, next: (error?: unknown) => void) => void;
  close(): Promise<void>;
};
type DevModule = { createDevRuntime(): Promise<DevRuntime> };

/** Mounts the Express app inside Vite's server: one port in development, and server code reloads on save. */
export function serverInVite(entry: string): Plugin {
  return {
    name: 'server-in-vite',
    apply: 'serve',
    configureServer(server) {
      if (process.env['VITEST']) return;
      const environment = server.environments['server'];
      if (!environment || !isRunnableDevEnvironment(environment)) throw new Error('no runnable server environment');
      let current: { module: DevModule; runtime: Promise<DevRuntime> } | undefined;
      const load = async () => {
        const module = (await environment.runner.import(entry)) as DevModule;
        if (current?.module !== module) {
          const previous = await current?.runtime.catch(() => undefined);
          await previous?.close();
          current = { module, runtime: module.createDevRuntime() };
        }
        return current.runtime;
      };
      server.middlewares.use((req, res, next) => {
        if (!/^\/(api\/|livez|readyz)/.test(req.url ?? '')) return next();
        load().then((runtime) => runtime.app(req, res, next), next);
      });
      server.httpServer?.once('close', () => void current?.runtime.then((runtime) => runtime.close()));
    },
  };
}
