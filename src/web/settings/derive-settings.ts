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

/** The command that a remedy begins with; none where it leaves a choice. */
export function commandIn(fix: string): string | undefined {
  const [, command = '', rest = ''] = /^[^`]*`([^`]+)`(.*)$/s.exec(fix) ?? []
  return /^(?:grove|npm|claude|git) /.test(command) && !/^,? or /.test(rest) ? command : undefined
}
