import type { ToolEffect } from '#core/action/reading.ts'

/** `grove intent approve`, however Grove is called; or the same through its API. */
export const FOR_PEOPLE = /(?:\bgrove\S*|\$\{?\w+\}?)\s+intent\s+(?:approve|add)\b|\/api\/(?:approvals|intents)\b/
/** What sends requests writes no file, and would pass as reading. */
export const ASKS_GROVE =
  /\b(?:curl|wget|https?|xh|nc|ncat|socat|telnet)\s[^|;&\n]*\/api\/(?:approvals|intents)\b|\b(?:node|deno|bun|python[\d.]*|ruby|perl|php)\s[\s\S]*\/api\/(?:approvals|intents)\b/

export function isForPeople(effect: ToolEffect, pattern: RegExp): boolean {
  return effect.kind === 'shell' && pattern.test(effect.command.replace(/\\\n/g, ' ').replace(/["'\\]/g, ''))
}
