import { setTheme, useTheme } from '../lib/theme.ts';
import { m } from '../paraglide/messages.js';
import { Segment } from './segment.tsx';

export function ThemeChoice() {
  const theme = useTheme();
  return (
    <Segment
      label={m.shell_theme()}
      value={theme}
      options={[
        { value: 'light', label: m.shell_theme_light() },
        { value: 'dark', label: m.shell_theme_dark() },
        { value: 'system', label: m.shell_theme_system() },
      ]}
      onChange={(value) => void setTheme(value)}
    />
  );
}
