import type { NamedPause } from '#daemon/commands/pause.ts'
import { clean } from './print.ts'

/** `shop (until 14:30)`. */
export function pauseText({ name, until }: NamedPause): string {
  return `${clean(name)} (${until === undefined ? 'until `grove resume`' : `until ${clockTime(until)}`})`
}

/** The hour, and the day where it is not today. */
export function clockTime(at: number): string {
  const date = new Date(at)
  const hour = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return date.toDateString() === new Date().toDateString() ? hour : `${date.toLocaleDateString('en-CA')} ${hour}`
}
