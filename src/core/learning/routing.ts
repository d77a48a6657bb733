import type { Scope } from './learning.ts'

/** Where a learning goes: the shared backends, the person's own file, the daily log, or nowhere. */
export type Target = 'shared' | 'personal' | 'daily-log' | 'nowhere'

/** Scope routing is decided here and nowhere else; backends write what they are given. */
export function targetOf(scope: Scope, hasDailyLog: boolean): Target {
  switch (scope) {
    case 'project':
    case 'team':
      return 'shared'
    case 'personal':
      return 'personal'
    case 'ephemeral':
      return hasDailyLog ? 'daily-log' : 'nowhere'
  }
}

/** The backends that can be chosen, in the words of the configuration. */
export const BACKENDS = ['total-recall', 'mcp', 'markdown'] as const
export type BackendName = (typeof BACKENDS)[number]

export interface BackendSettings {
  /** The order in which they are looked for; `config` stands for those the configuration names. */
  discovery: readonly string[]
  overrides: Readonly<Record<string, boolean>>
  /** Named by the configuration. All of them are written to. */
  use: readonly string[]
}

/** Which backends are in use: those the configuration names, else the first one that is there. Markdown always is. */
export function chooseBackends(
  { discovery, overrides, use }: BackendSettings,
  isThere: (name: BackendName) => boolean,
) {
  const isOn = (name: BackendName) => overrides[name] !== false
  for (const step of discovery) {
    if (step === 'config') {
      const named = BACKENDS.filter((name) => use.includes(name) && isOn(name))
      if (named.length > 0) return [...named].sort((a, b) => use.indexOf(a) - use.indexOf(b))
      continue
    }
    const name = BACKENDS.find((known) => known === step)
    if (name && isOn(name) && (name === 'markdown' || isThere(name))) return [name]
  }
  return isOn('markdown') ? (['markdown'] as BackendName[]) : []
}
