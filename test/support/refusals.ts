import type { Refusal } from '../../src/core/refusal.ts'

/** The refusal in what a tool answered. Newer clients put `PreToolUse:<tool> hook error: ` before a hook's own words. */
export function refusalIn(result: string | undefined): Refusal {
  return JSON.parse((result ?? 'null').replace(/^PreToolUse:\w+ hook error: /, '')) as Refusal
}
