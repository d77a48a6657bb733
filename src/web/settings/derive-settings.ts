import type { Setting } from '#protocol/api/settings.ts'
import { groupBy } from '../ui/group.ts'

export function filterSettings(settings: Setting[], search: string, onlyChanged: boolean): Setting[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return settings.filter(({ key, about, environment, source }) => {
    const text = [key, about, ...environment].join(' ').toLowerCase()
    return words.every((word) => text.includes(word)) && (!onlyChanged || source !== 'default')
  })
}

/** By the first part of their names. */
export function groupSettings(settings: Setting[]): Map<string, Setting[]> {
  return groupBy(settings, ({ key }) => (key.includes('.') ? key.split('.')[0]! : 'general'))
}

/** The command that a remedy names, if it names exactly one. */
export function commandIn(fix: string): string | undefined {
  const quoted = [...fix.matchAll(/`([^`]+)`/g)].map(([, command]) => command!)
  const plain = /\bgrove [a-z][\w -]*?(?=[.,;:]|$)/.exec(fix)?.[0].trim()
  const all = quoted.length > 0 ? quoted : plain ? [plain] : []
  return all.length === 1 ? all[0] : undefined
}
