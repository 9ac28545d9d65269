import { isRunnableDevEnvironment, type Plugin } from 'vite';

type DevRuntime = {
  app: (req: unknown, res: unknown, next: (error?: unknown) => void) => void;
  close(): Promise<void>;
};
type DevModule = { createDevRuntime(): Promise<DevRuntime> };

/** Mounts the app inside Vite's server: one port in development, and server code reloads on save. */
export function serverInVite(entry: string): Plugin {
  let current: { module: DevModule; runtime: Promise<DevRuntime> } | undefined;
  const stop = async () => {
    const stopping = current;
    current = undefined;
    const runtime = await stopping?.runtime.catch(() => undefined);
    await runtime?.close();
  };
  return {
    name: 'server-in-vite',
    apply: 'serve',
    configureServer(server) {
      if (process.env['VITEST']) return;
      const environment = server.environments['server'];
      if (!environment || !isRunnableDevEnvironment(environment)) throw new Error('no runnable server environment');
      const load = async () => {
        const module = (await environment.runner.import(entry)) as DevModule;
        if (current?.module !== module) {
          // Set before anything is waited for: requests that come together share one runtime.
          const stopped = stop();
          current = { module, runtime: stopped.then(() => module.createDevRuntime()) };
        }
        return current.runtime;
      };
      server.middlewares.use((req, res, next) => {
        if (!/^\/(api\/|livez|readyz)/.test(req.url ?? '')) return next();
        load().then((runtime) => runtime.app(req, res, next), next);
      });
    },
    // Vite waits for this before it ends the process; for the HTTP server's own `close` it does not.
    closeBundle: stop,
  };
}
