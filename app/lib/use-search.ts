import { useLocation, useNavigate } from '@tanstack/react-router';

/**
 * The address's query as plain text, and a way to change some of it in place: a screen that can be linked to and reloaded.
 * With `isStep` it is a step of its own, which the browser's Back undoes.
 */
export function useSearch(): [
  Record<string, string>,
  (change: Record<string, string | null>, isStep?: boolean) => void,
] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(search)) if (value !== undefined) plain[name] = String(value);
  const change = (next: Record<string, string | null>, isStep = false) => {
    const all: Record<string, string> = {};
    for (const [name, value] of Object.entries({ ...plain, ...next })) if (value !== null) all[name] = value;
    void navigate({ to: pathname, search: all, replace: !isStep, resetScroll: false });
  };
  return [plain, change];
}
