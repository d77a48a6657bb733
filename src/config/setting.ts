import * as z from 'zod'

/** The building blocks of the schema in config.ts: what kinds of values there are, and what is told about a setting. */

interface Kind<T> {
  schema: z.ZodType<T, T>
  /** Completes "expected …" in errors and fills the type column of the documentation. */
  expects: string
  /** An environment variable is text; a value that cannot be read stays text and fails the schema with a clear message. */
  fromText: (text: string) => unknown
}

interface About {
  about: string
  /** Environment variables that set it, the first one found wins. */
  env?: string | string[]
  /** `url` hides only the password in it. */
  secret?: 'url' | 'whole'
  /**
   * Who may set it beside the environment. A project file comes with a clone, so what decides where keys go,
   * which program is started or who can connect is left to the user.
   */
  only?: 'user' | 'environment'
}

interface SettingMeta extends About {
  kind: Kind<unknown>
}

const settings = new WeakMap<z.ZodType, SettingMeta>()
const sections = new WeakMap<z.ZodType, string>()

/** A setting with a default. */
export function setting<T>(kind: Kind<T>, value: T, about: About) {
  const schema = z._default(kind.schema, value as never)
  settings.set(schema, { ...about, kind: kind as Kind<unknown> })
  return schema
}

/** A setting that may be absent. */
export function optional<T>(kind: Kind<T>, about: About) {
  const schema = z.optional(kind.schema)
  settings.set(schema, { ...about, kind: kind as Kind<unknown> })
  return schema
}

/** A TOML table of settings; all of it may be left out. */
export function section<S extends z.ZodRawShape>(about: string, shape: S) {
  const schema = z.prefault(z.object(shape), {} as never)
  sections.set(schema, about)
  return schema
}

/** One line of the flat list of settings. */
export interface Leaf extends SettingMeta {
  /** As in TOML: `gate.auto_skip.line_threshold`. */
  key: string
  /** As in code: `['gate', 'autoSkip', 'lineThreshold']`. */
  path: string[]
  schema: z.ZodType
  /** What the section it stands in is for; absent at the top level. */
  sectionAbout?: string
}

/** Every setting of a schema, in the order they are written. */
export function leavesOf(schema: z.ZodObject, path: string[] = [], sectionAbout?: string): Leaf[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const at = [...path, name]
    const meta = settings.get(field as z.ZodType)
    if (meta) {
      const leaf = { ...meta, key: at.map(snakeCase).join('.'), path: at, schema: field as z.ZodType }
      return [sectionAbout ? { ...leaf, sectionAbout } : leaf]
    }
    const inner = (field as z.ZodPrefault<z.ZodObject>).def.innerType
    return leavesOf(inner, at, sections.get(field as z.ZodType) ?? sectionAbout)
  })
}

/** The environment variables of a setting. */
export function envNames({ env }: About): string[] {
  return env === undefined ? [] : [env].flat()
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const asIs = (text: string): unknown => text
const asNumber = (text: string): unknown => (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : text)
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
  schema: z.int().min(0).max(65535),
  expects: 'a port number from 0 to 65535 (0: any free one)',
  fromText: asNumber,
}

export const text: Kind<string> = { schema: z.string().min(1), expects: 'text', fromText: asIs }

export const toggle: Kind<boolean> = { schema: z.boolean(), expects: 'true or false', fromText: asSwitch }

export const list: Kind<string[]> = {
  schema: z.array(z.string()),
  expects: 'a list of texts',
  fromText: asList,
}

export const toggles: Kind<Record<string, boolean>> = {
  schema: z.record(z.string(), z.boolean()),
  expects: 'a table of names, each true or false',
  fromText: asIs,
}

/** A number between 0 and 1. */
export const share: Kind<number> = {
  schema: z.number().min(0).max(1),
  expects: 'a number from 0 to 1',
  fromText: asNumber,
}

/** An amount of money. */
export const dollars: Kind<number> = {
  schema: z.number().min(0),
  expects: 'an amount in US dollars, 0 or more',
  fromText: asNumber,
}

export function whole(min: number): Kind<number> {
  return { schema: z.int().min(min), expects: `a whole number, ${min} or more`, fromText: asNumber }
}

export function oneOf<const T extends string>(...choices: T[]): Kind<T> {
  const names = choices.map((choice) => `\`${choice}\``)
  return {
    schema: z.enum(choices) as unknown as z.ZodType<T, T>,
    expects: `one of ${names.join(', ')}`,
    fromText: asIs,
  }
}

/** A URL with one of the given schemes. */
export function url(schemes: string[], example: string): Kind<string> {
  return {
    schema: z.string().refine((value) => schemes.includes(URL.canParse(value) ? new URL(value).protocol : '')),
    expects: `a URL such as \`${example}\``,
    fromText: asIs,
  }
}
