import { readStored, useStored, writeStored } from '../ui/stored.ts'

export type Theme = 'system' | 'light' | 'dark'

const NAME = 'grove.theme'

export function applyTheme(): void {
  const theme = readStored<Theme>(NAME, 'system')
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  // Each of the two colours for the bar of the system is for one theme.
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = bar.dataset.for
    bar.media = theme === 'system' ? `(prefers-color-scheme: ${own})` : theme === own ? 'all' : 'not all'
  }
}

export function setTheme(theme: Theme): void {
  writeStored(NAME, theme)
  applyTheme()
}

export function useTheme(): Theme {
  return useStored<Theme>(NAME, 'system')[0]
}
