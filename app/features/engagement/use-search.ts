import { useLocation, useNavigate } from '@tanstack/react-router';

/** The address's query as plain text, and a way to change some of it in place: a screen that can be linked to and reloaded. */
export function useSearch(): [Record<string, string>, (change: Record<string, string | null>) => void] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(search)) if (value !== undefined) plain[name] = String(value);
  const change = (next: Record<string, string | null>) => {
    const all: Record<string, string> = {};
    for (const [name, value] of Object.entries({ ...plain, ...next })) if (value !== null) all[name] = value;
    void navigate({ to: pathname, search: all, replace: true, resetScroll: false });
  };
  return [plain, change];
}
