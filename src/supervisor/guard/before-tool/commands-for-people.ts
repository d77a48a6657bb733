import type { ToolEffect } from '#core/action/reading.ts'
import type { SimpleCommand } from '#core/shell/simple-command.ts'
import { baseName, UNKNOWN } from '#core/shell/values.ts'

/** Whether a command line does what only a person may: `grove intent approve`, however Grove is called, or the same by its API. */
export function isForPeople(effect: ToolEffect): boolean {
  return commandsOf(effect).some((command) => approves(command) || namesApi(command))
}

/** Whether a command line that writes no file sends a request to Grove's API, or runs code that may: without this it would pass as reading. */
export function asksGrove(effect: ToolEffect): boolean {
  return commandsOf(effect).some((command) => SENDS.test(baseName(command.name)) && namesApi(command))
}

const SENDS = /^(?:curl|wget|https?|xh|nc|ncat|socat|telnet|node|deno|bun|python[\d.]*|ruby|perl|php)$/

function commandsOf(effect: ToolEffect): SimpleCommand[] {
  return effect.kind === 'shell' ? effect.script.commands : []
}

/** `npx grove intent add`, `node dist/grove.js intent approve`, `$g intent approve`. */
function approves({ name, args }: SimpleCommand): boolean {
  const words = [name, ...args.map(({ text }) => text)].filter((word) => !word.startsWith('-'))
  return words.some((word, at) => {
    const program = baseName(words[at - 1] ?? '')
    const isGrove = program.startsWith('grove') || program.includes(UNKNOWN)
    return isGrove && word === 'intent' && /^(?:approve|add)$/.test(words[at + 1] ?? '')
  })
}

function namesApi({ args, input = '' }: SimpleCommand): boolean {
  return [...args.map(({ text }) => text), input].some((text) => API.test(text))
}

const API = /\/api\/(?:approvals|intents)\b/
