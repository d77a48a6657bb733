import { editJson } from './json-edit.ts'
import { isJsonObject, type Json, type JsonObject, type JsonProblem, readJson, sameJson } from './json-text.ts'

/** Claude Code's settings files. They belong to the user: what cannot be understood is reported, never rewritten. */

export type Settings = JsonObject
export type SettingsReading = { ok: true; settings: Settings } | { ok: false; problem: SettingsProblem }

/** What is wrong with a settings file; the place is known when it is no JSON at all. */
export type SettingsProblem = Pick<JsonProblem, 'message'> & Partial<JsonProblem>

/** Reads a settings file. A file whose `hooks` or `env` has an impossible shape is a problem too: the client ignores such hooks silently. */
export function parseSettings(text: string): SettingsReading {
  const reading = readJson(orEmptyObject(text))
  if (!reading.ok) return reading
  const settings = reading.value
  const message = isJsonObject(settings) ? misshapen(settings) : 'the file must hold one JSON object'
  if (message) return { ok: false, problem: { message } }
  return { ok: true, settings: settings as Settings }
}

function misshapen({ hooks, env }: Settings): string | undefined {
  if (env !== undefined && !isJsonObject(env)) return '"env" must be an object of names and values'
  if (hooks !== undefined && !isJsonObject(hooks)) return '"hooks" must be an object of event names'
  const odd = Object.entries(hooks ?? {}).find(([, groups]) => !Array.isArray(groups))
  return odd && `"hooks.${odd[0]}" must be a list`
}

/** The file's text with new settings; everything that did not change keeps its bytes. */
export function editSettings(text: string, settings: Settings): string {
  const isNothing = Object.keys(settings).length === 0 && text.trim() === ''
  return isNothing ? text : editJson(orEmptyObject(text), settings)
}

/** A file with nothing in it, as `touch` or a cut-off write leaves it, sets nothing. */
function orEmptyObject(text: string): string {
  return text.trim() === '' ? '{}\n' : text
}

/** One hook as it stands in a settings file. */
export interface HookEntry {
  event: string
  /** Absent: every tool, every source. */
  matcher?: string
  hook: HookDefinition
}

export type HookDefinition = { type: string } & JsonObject

/** All hooks of the settings, in order; entries too odd to be hooks are passed over. */
export function hooksOf(settings: Settings): HookEntry[] {
  return Object.entries(hookTable(settings)).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group) => hooksOfGroup(group).map((hook) => ({ event, ...matcherOf(group), hook }))),
  )
}

/** The variables the settings set; the client takes strings, numbers and booleans. */
export function envOf(settings: Settings): Record<string, string> {
  const set = Object.entries(isJsonObject(settings.env) ? settings.env : {})
  return Object.fromEntries(set.flatMap(([name, value]) => (isPlain(value) ? [[name, String(value)]] : [])))
}

/** The settings with these hooks added, each in a group of its own behind the user's; one that is already there is not added again. */
export function addHooks(settings: Settings, entries: HookEntry[]): Settings {
  const table = { ...hookTable(settings) }
  for (const { event, matcher, hook } of entries) {
    const groups = listOf(table[event])
    if (
      groups.some((group) => matcherOf(group).matcher === matcher && hooksOfGroup(group).some((h) => sameJson(h, hook)))
    )
      continue
    table[event] = [...groups, { ...(matcher !== undefined && { matcher }), hooks: [hook] }]
  }
  return entries.length > 0 ? { ...settings, hooks: table } : settings
}

/** The settings with every hook replaced by what is made of it; what is no hook stays. */
export function mapHooks(
  settings: Settings,
  change: (hook: HookDefinition, event: string) => HookDefinition,
): Settings {
  const table = Object.entries(hookTable(settings)).map(([event, groups]) => {
    const renewed = listOf(groups).map((group) => {
      if (!isJsonObject(group) || hooksOfGroup(group).length === 0) return group
      return { ...group, hooks: listOf(group.hooks).map((hook) => (isHook(hook) ? change(hook, event) : hook)) }
    })
    return [event, Array.isArray(groups) ? renewed : groups] as const
  })
  return table.length > 0 ? { ...settings, hooks: Object.fromEntries(table) } : settings
}

/** What attaching to the settings hides, and detaching needs to know to leave no trace. Small, and safe to store as JSON. */
export interface Footprint {
  /** The value each of our variables had before. */
  env: JsonObject
  /** Containers that were there, but empty: `hooks`, `hooks.Stop`, `env`, `permissions.allow`. */
  empty: string[]
}

/** The footprint of settings that nothing was hidden in. */
const NOTHING_HIDDEN: Footprint = { env: {}, empty: [] }

/** Taken before attaching, with the names of the variables that will be set. */
export function footprintOf(settings: Settings, names: string[]): Footprint {
  const { hooks, env, permissions } = settings
  const earlier = Object.entries(isJsonObject(env) ? env : {}).filter(([name]) => names.includes(name))
  const containers: [string, Json | undefined][] = [
    ['hooks', hooks],
    ['env', env],
    ['permissions', permissions],
    ['permissions.allow', isJsonObject(permissions) ? permissions.allow : undefined],
  ]
  for (const [event, groups] of Object.entries(hookTable(settings))) containers.push([`hooks.${event}`, groups])
  return {
    env: Object.fromEntries(earlier),
    empty: containers.flatMap(([path, value]) => (isEmpty(value) ? [path] : [])),
  }
}

/** The settings without our hooks. Groups, events and the table itself go when nothing else is left in them. */
export function removeHooks(
  settings: Settings,
  isOurs: (hook: HookDefinition, event: string) => boolean,
  { empty } = NOTHING_HIDDEN,
): Settings {
  const table = Object.entries(hookTable(settings)).flatMap(([event, groups]) => {
    const left = listOf(groups).flatMap((group) => withoutOurs(group, (hook) => isOurs(hook, event)))
    const emptied = left.length === 0 && !isEmpty(groups) && !empty.includes(`hooks.${event}`)
    return emptied ? [] : [[event, left] as const]
  })
  return replaceOrDrop(settings, 'hooks', Object.fromEntries(table), empty)
}

function withoutOurs(group: Json, isOurs: (hook: HookDefinition) => boolean): Json[] {
  if (!hooksOfGroup(group).some(isOurs)) return [group]
  const { hooks } = group as JsonObject
  const left = listOf(hooks).filter((hook) => !(isHook(hook) && isOurs(hook)))
  return left.length > 0 ? [{ ...(group as JsonObject), hooks: left }] : []
}

/** The settings with these variables set; a variable that is already there changes in place. */
export function setEnv(settings: Settings, variables: Record<string, string>): Settings {
  if (Object.keys(variables).length === 0) return settings
  return { ...settings, env: { ...(isJsonObject(settings.env) ? settings.env : {}), ...variables } }
}

/** The settings without our variables. One that the user has changed since stays; one that we had replaced gets its old value back. */
export function unsetEnv(settings: Settings, ours: Record<string, string>, footprint = NOTHING_HIDDEN): Settings {
  if (!isJsonObject(settings.env)) return settings
  const left = Object.entries(settings.env).flatMap(([name, value]) => {
    if (!Object.hasOwn(ours, name) || ours[name] !== value) return [[name, value] as const]
    return Object.hasOwn(footprint.env, name) ? [[name, footprint.env[name]!] as const] : []
  })
  return replaceOrDrop(settings, 'env', Object.fromEntries(left), footprint.empty)
}

/** The rules among these that the settings do not have yet; none where their list has an impossible shape. */
export function missingRules({ permissions = {} }: Settings, rules: string[]): string[] {
  if (!isJsonObject(permissions)) return []
  const { allow = [] } = permissions
  return Array.isArray(allow) ? rules.filter((rule) => !allow.includes(rule)) : []
}

/** The settings with these tools allowed without a prompt, behind what the user allows. */
export function allowTools(settings: Settings, rules: string[]): Settings {
  const fresh = missingRules(settings, rules)
  if (fresh.length === 0) return settings
  const permissions = isJsonObject(settings.permissions) ? settings.permissions : {}
  return { ...settings, permissions: { ...permissions, allow: [...listOf(permissions.allow), ...fresh] } }
}

/** The settings without the rules we added. */
export function disallowTools(settings: Settings, ours: string[], { empty } = NOTHING_HIDDEN): Settings {
  const { permissions } = settings
  if (!isJsonObject(permissions)) return settings
  const left = listOf(permissions.allow).filter((rule) => !ours.includes(rule as string))
  if (left.length === listOf(permissions.allow).length) return settings
  const { allow: _, ...others } = permissions
  const keepsList = left.length > 0 || empty.includes('permissions.allow')
  return replaceOrDrop(settings, 'permissions', keepsList ? { ...permissions, allow: left } : others, empty)
}

/** The settings with this status line; an existing one of another tool stays. */
export function addStatusLine(settings: Settings, command: string): Settings {
  return settings.statusLine === undefined ? { ...settings, statusLine: { type: 'command', command } } : settings
}

export function removeStatusLine(settings: Settings, isOurs: (command: string) => boolean): Settings {
  const command = statusLineOf(settings)
  if (command === undefined || !isOurs(command)) return settings
  const { statusLine: _, ...others } = settings
  return others
}

/** The command that prints the client's status line. */
export function statusLineOf({ statusLine }: Settings): string | undefined {
  return isJsonObject(statusLine) && typeof statusLine.command === 'string' ? statusLine.command : undefined
}

function replaceOrDrop(settings: Settings, key: string, value: JsonObject, empty: string[]): Settings {
  if (settings[key] === undefined) return settings
  if (!isEmpty(value) || isEmpty(settings[key]) || empty.includes(key)) return { ...settings, [key]: value }
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== key))
}

function hookTable({ hooks }: Settings): JsonObject {
  return isJsonObject(hooks) ? hooks : {}
}

function matcherOf(group: Json): { matcher?: string } {
  return isJsonObject(group) && typeof group.matcher === 'string' ? { matcher: group.matcher } : {}
}

function hooksOfGroup(group: Json): HookDefinition[] {
  return isJsonObject(group) ? listOf(group.hooks).filter(isHook) : []
}

function isHook(value: Json): value is HookDefinition {
  return isJsonObject(value) && typeof value.type === 'string'
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function isEmpty(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function isPlain(value: Json): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
