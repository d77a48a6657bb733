import { readStored, useStored, writeStored } from '../ui/stored.ts'

export type Theme = 'system' | 'light' | 'dark'

const NAME = 'grove.theme'

export function applyTheme(): void {
  const theme = readStored<Theme>(NAME, 'system')
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function setTheme(theme: Theme): void {
  writeStored(NAME, theme)
  applyTheme()
}

export function useTheme(): Theme {
  return useStored<Theme>(NAME, 'system')[0]
}
