import { type HookEventName, kebabEvent } from '#protocol/hook-event.ts'
import type { HookDefinition, HookEntry } from '#protocol/settings.ts'

/** How hooks reach Grove: over the web server, as a process, or for each event as it is best. */
export type Transport = 'http' | 'command' | 'auto'

/** What the hooks call. */
export interface HookTarget {
  /** The program and its first arguments; the event's name is added. */
  command: { program: string; args: string[] }
  /** With the key that lets hooks in. */
  http: { url: string; key: string }
  /** How long the guard may wait for a person. */
  approvalWaitSeconds: number
}

/**
 * The events Grove listens to. An http hook costs no process, but when the daemon does not run it is missed in silence.
 * So `auto` uses it where that is harmless, and a command where something must hold: the goal, the guard, the trace and
 * what was read, the gate, and what is kept at the end of a session.
 */
const EVENTS: Partial<Record<HookEventName, 'http' | 'command'>> = {
  SessionStart: 'command',
  UserPromptSubmit: 'command',
  PreToolUse: 'command',
  PermissionRequest: 'command',
  PostToolUse: 'command',
  PostToolUseFailure: 'command',
  SubagentStart: 'http',
  SubagentStop: 'http',
  PreCompact: 'http',
  Stop: 'command',
  SessionEnd: 'command',
}

/** The client sends no http hook for it, whatever its settings say. */
const NEVER_OVER_HTTP: HookEventName = 'SessionStart'

// In seconds. What takes longer is given up, and the agent goes on as if there were no hook. For the end of a session the
// client would wait 1.5 seconds by itself.
const PATIENCE = 30
const PATIENCE_AT_END = 5
/** For those that may be missed: a daemon that hangs must not hold the agent up. */
const PATIENCE_IF_HARMLESS = 2
/** Long, because the client shows its own prompt in the terminal meanwhile. */
const PATIENCE_AT_PROMPT = 600

/** Our hooks as they stand in a settings file. */
export function hookEntries(transport: Transport, target: HookTarget): HookEntry[] {
  return (Object.keys(EVENTS) as HookEventName[]).map((event) => {
    const wanted = transport === 'auto' ? EVENTS[event] : transport
    const overHttp = wanted === 'http' && event !== NEVER_OVER_HTTP
    const isHarmless = transport === 'auto' && overHttp
    const timeout = isHarmless ? PATIENCE_IF_HARMLESS : timeoutOf(event, target)
    return { event, hook: overHttp ? httpHook(event, target, timeout) : commandHook(event, target, timeout) }
  })
}

function timeoutOf(event: HookEventName, { approvalWaitSeconds }: HookTarget): number {
  if (event === 'SessionEnd') return PATIENCE_AT_END
  const withPerson = approvalWaitSeconds + PATIENCE
  if (event === 'PermissionRequest') return Math.max(withPerson, PATIENCE_AT_PROMPT)
  return event === 'PreToolUse' ? withPerson : PATIENCE
}

/** With `args` the client starts the program itself, without a shell in between. */
function commandHook(event: HookEventName, { command }: HookTarget, timeout: number): HookDefinition {
  return { type: 'command', command: command.program, args: [...command.args, kebabEvent(event)], timeout }
}

function httpHook(event: HookEventName, { http }: HookTarget, timeout: number): HookDefinition {
  const headers = { Authorization: `Bearer ${http.key}` }
  return { type: 'http', url: `${http.url}/hooks/${kebabEvent(event)}`, headers, timeout }
}

/** Whether a hook is one of ours, whichever Grove wrote it. */
export function isOurHook(hook: HookDefinition, event: string): boolean {
  const kebab = kebabEvent(event as HookEventName)
  if (hook.type === 'http') {
    const url = typeof hook.url === 'string' && URL.canParse(hook.url) ? new URL(hook.url) : undefined
    return url?.pathname === `/hooks/${kebab}` && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  }
  const words = [hook.command, ...(Array.isArray(hook.args) ? hook.args : [])].map(String)
  return words.at(-1) === kebab && words.some((word) => /[\\/](grove-hook|hook\.cjs)$/.test(word))
}
