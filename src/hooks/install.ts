import {
  addHooks,
  addStatusLine,
  allowTools,
  disallowTools,
  editSettings,
  type Footprint,
  footprintOf,
  type HookEntry,
  hooksOf,
  missingRules,
  parseSettings,
  removeHooks,
  removeStatusLine,
  type Settings,
  type SettingsProblem,
  setEnv,
  unsetEnv,
} from '#protocol/settings.ts'
import { isOurHook } from './entries.ts'

/** Adds Grove to a settings file of Claude Code, and takes it out again byte for byte. */

/** What is added. */
export interface Addition {
  hooks: HookEntry[]
  env: Record<string, string>
  /** Tools the client need not ask about. */
  allow: string[]
  /** The command that prints our status line, where it is wanted. */
  statusLine?: string | undefined
}

/** The tools of our own MCP server: an agent that must select an intent should not have to ask whether it may. */
export const OUR_TOOLS = ['mcp__grove']

/** What must be remembered to take it out again. `before` is absent when there was no file. */
export interface SettingsTrace {
  before?: string
  after: string
  env: Record<string, string>
  /** The rules that were not there before. */
  allow?: string[]
  footprint: Footprint
}

export type Edited<T> = { ok: true; value: T } | { ok: false; problem: SettingsProblem }

/** The file with Grove added, given its text now and the trace of an earlier time, if it is still in there. */
export function attach(
  now: string | undefined,
  { hooks, env, allow, statusLine }: Addition,
  earlier?: SettingsTrace,
): Edited<SettingsTrace> {
  const clean = detach(now, earlier)
  if (!clean.ok) return clean
  // What another home has written into a file of its own making leaves nothing when it is taken out.
  const isMade = earlier === undefined && clean.value !== now && Object.keys(settingsIn(clean.value)).length === 0
  const before = isMade ? undefined : clean.value
  const settings = settingsIn(before)
  const footprint = footprintOf(settings, Object.keys(env))
  const allowed = allowTools(setEnv(addHooks(settings, hooks), env), allow)
  const added = statusLine === undefined ? allowed : addStatusLine(allowed, statusLine)
  const after = editSettings(before ?? '{}\n', added)
  const fresh = missingRules(settings, allow)
  return { ok: true, value: { ...(before !== undefined && { before }), after, env, allow: fresh, footprint } }
}

/** The file without Grove; undefined when it should not be there at all. */
export function detach(now: string | undefined, trace?: SettingsTrace): Edited<string | undefined> {
  if (now === undefined) return { ok: true, value: undefined }
  if (trace && now === trace.after) return { ok: true, value: trace.before }
  const reading = parseSettings(now)
  if (!reading.ok) return reading
  const withoutHooks = removeHooks(reading.settings, isOurHook, trace?.footprint)
  const withoutEnv = unsetEnv(withoutHooks, trace?.env ?? {}, trace?.footprint)
  // Without a record of the install, our hooks tell whether the rule beside them is ours or the user's.
  const isThere = hooksOf(reading.settings).some(({ hook, event }) => isOurHook(hook, event))
  const forgotten = isThere ? allowedIn(reading.settings).filter(isOurRule) : []
  const withRest = disallowTools(withoutEnv, trace ? (trace.allow ?? []) : forgotten, trace?.footprint)
  const left = removeStatusLine(withRest, isOurStatusLine)
  const ownFile = trace !== undefined && trace.before === undefined
  return { ok: true, value: ownFile && Object.keys(left).length === 0 ? undefined : editSettings(now, left) }
}

/** Whether a rule lets agents use Grove, of whichever home. */
function isOurRule(rule: unknown): rule is string {
  if (typeof rule !== 'string') return false
  return OUR_TOOLS.includes(rule) || /^Bash\([\w@%+=:,./-]{1,500}\/bin\/grove \w{1,20}:\*\)$/.test(rule)
}

function allowedIn({ permissions }: Settings): unknown[] {
  const { allow } = (permissions ?? {}) as { allow?: unknown }
  return Array.isArray(allow) ? allow : []
}

/** Whether a status line is printed by Grove alone; one that only calls it among others is the user's. */
export function isOurStatusLine(command: string): boolean {
  return /^\S{0,500}(?:node\S{0,500} )?\S{0,500}grove(?:\.js)?['"]? statusline$/.test(command)
}

function settingsIn(text: string | undefined): Settings {
  const reading = parseSettings(text ?? '{}')
  // Both callers have parsed this text before, so a failure here cannot happen.
  return reading.ok ? reading.settings : {}
}
