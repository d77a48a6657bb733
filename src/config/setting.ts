/**
 * The building blocks of the settings in config.ts: what kinds of values there are, and what is told about a setting.
 * Plain functions: every command and every hook process reads the settings, and building a schema of a library would
 * take longer than that.
 */

interface Kind<T> {
  accepts: (value: unknown) => boolean
  /** Completes "expected …" in errors and fills the type column of the documentation. */
  expects: string
  /** An environment variable is text; a value that cannot be read stays text and is refused with a clear message. */
  fromText: (text: string) => unknown
  /** Only for the compiler. */
  type?: T
}

interface About {
  about: string
  /** Environment variables that set it, the first one found wins. */
  env?: string | string[]
  /** `url` hides only the password in it. */
  secret?: 'url' | 'whole'
  /**
   * Who may set it beside the environment. A project file comes with a clone, so where keys go, which program is
   * started and who can connect are left to the user.
   */
  only?: 'user' | 'environment'
}

interface Setting<T> extends About {
  kind: Kind<T>
  fallback: T
}

interface Section<S> {
  about: string
  settings: S
}

interface Settings {
  [name: string]: Setting<unknown> | Section<Settings>
}

/** The values of settings: what TypeScript knows as the configuration. */
export type ValuesOf<S> = {
  [K in keyof S]: S[K] extends Setting<infer T> ? T : S[K] extends Section<infer Inner> ? ValuesOf<Inner> : never
}

/** A setting with a default. */
export function setting<T>(kind: Kind<T>, fallback: NoInfer<T>, about: About): Setting<T> {
  return { ...about, kind, fallback }
}

/** A setting that may be absent. */
export function optional<T>(kind: Kind<T>, about: About): Setting<T | undefined> {
  return { ...about, kind, fallback: undefined }
}

/** A TOML table of settings; all of it may be left out. */
export function section<S>(about: string, settings: S): Section<S> {
  return { about, settings }
}

/** One line of the flat list of settings. */
export interface Leaf extends Setting<unknown> {
  /** As in TOML: `gate.auto_skip.line_threshold`. */
  key: string
  /** As in code: `['gate', 'autoSkip', 'lineThreshold']`. */
  path: string[]
  /** What the section it stands in is for; absent at the top level. */
  sectionAbout?: string
}

/** Every setting, in the order they are written. */
export function leavesOf<S>(settings: S, path: string[] = [], sectionAbout?: string): Leaf[] {
  return Object.entries(settings as Settings).flatMap(([name, entry]) => {
    const at = [...path, name]
    if (!('kind' in entry)) return leavesOf(entry.settings, at, entry.about)
    const leaf = { ...entry, key: at.map(snakeCase).join('.'), path: at }
    return [sectionAbout ? { ...leaf, sectionAbout } : leaf]
  })
}

/** The values that are given, and the defaults of the others; what is given must have been accepted before. */
export function valuesOf<S>(settings: S, given: Record<string, unknown>): ValuesOf<S> {
  const values = Object.entries(settings as Settings).map(([name, entry]) => {
    const value = given[name]
    if ('kind' in entry) return [name, value === undefined ? copyOf(entry.fallback) : value]
    return [name, valuesOf(entry.settings, (value ?? {}) as Record<string, unknown>)]
  })
  return Object.fromEntries(values) as ValuesOf<S>
}

/** Most are plain values, and to clone those takes longer than everything else about them. */
function copyOf(fallback: unknown): unknown {
  return typeof fallback === 'object' ? structuredClone(fallback) : fallback
}

/** The environment variables of a setting. */
export function envNames({ env }: About): string[] {
  return env === undefined ? [] : [env].flat()
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Whether a value is a TOML table; a date is none. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

const asIs = (text: string): unknown => text
const asNumber = (text: string): unknown => (/^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : text)
const asList = (text: string): unknown =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

function asSwitch(text: string): unknown {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off)$/i.test(text)) return false
  return text
}

export const port: Kind<number> = {
  accepts: (value) => isWhole(value) && value >= 0 && value <= 65535,
  expects: 'a port number from 0 to 65535 (0: any free one)',
  fromText: asNumber,
}

export const text: Kind<string> = {
  accepts: (value) => typeof value === 'string' && value !== '',
  expects: 'text',
  fromText: asIs,
}

export const toggle: Kind<boolean> = {
  accepts: (value) => typeof value === 'boolean',
  expects: 'true or false',
  fromText: asSwitch,
}

export const list: Kind<string[]> = {
  accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  expects: 'a list of texts',
  fromText: asList,
}

/** A list of some of the given names. */
export function listOf<const T extends string>(...names: T[]): Kind<T[]> {
  return {
    accepts: (value) => Array.isArray(value) && value.every((item) => names.includes(item)),
    expects: `a list of ${quoted(names)}`,
    fromText: asList,
  }
}

/** Variables for a program. */
export const variables: Kind<string[]> = {
  accepts: (value) => list.accepts(value) && (value as string[]).every((item) => /^[A-Za-z_]\w*=/.test(item)),
  expects: 'a list of texts such as `NAME=value`',
  fromText: asList,
}

/** A switch for each of the given names, on unless it is switched off. */
export function switches<const T extends string>(
  names: readonly T[],
  about: (name: T) => string,
): Record<T, Setting<boolean>> {
  const each = names.map((name) => [name, setting(toggle, true, { about: about(name) })])
  return Object.fromEntries(each) as Record<T, Setting<boolean>>
}

function quoted(names: string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** A number between 0 and 1. */
export const share: Kind<number> = {
  accepts: (value) => isAmount(value) && value <= 1,
  expects: 'a number from 0 to 1',
  fromText: asNumber,
}

/** An amount of money. */
export const dollars: Kind<number> = {
  accepts: isAmount,
  expects: 'an amount in US dollars, 0 or more',
  fromText: asNumber,
}

export function whole(min: number): Kind<number> {
  return {
    accepts: (value) => isWhole(value) && value >= min,
    expects: `a whole number, ${min} or more`,
    fromText: asNumber,
  }
}

export function oneOf<const T extends string>(...choices: T[]): Kind<T> {
  return {
    accepts: (value) => choices.some((choice) => choice === value),
    expects: `one of ${quoted(choices)}`,
    fromText: asIs,
  }
}

/** A URL with one of the given schemes. */
export function url(schemes: string[], example: string): Kind<string> {
  return {
    accepts: (value) =>
      typeof value === 'string' && schemes.includes(URL.canParse(value) ? new URL(value).protocol : ''),
    expects: `a URL such as \`${example}\``,
    fromText: asIs,
  }
}

/** The address of an HTTP service that paths are added to: nothing may stand behind it, and no password in it. */
export function baseUrl(example: string): Kind<string> {
  const { accepts, expects, fromText } = url(['http:', 'https:'], example)
  return {
    accepts: (value) => accepts(value) && isBase(new URL(String(value))),
    expects: `${expects}, without user name or query`,
    fromText,
  }
}

function isBase({ username, password, search, hash }: URL): boolean {
  return !username && !password && !search && !hash
}
