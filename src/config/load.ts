import { type Config, Config as ConfigSchema, contradictions, leaves } from './config.ts'
import { maskPassword } from './mask-password.ts'
import { absolute, pathsOf, projectConfigFile, projectRoot, tilde } from './paths.ts'
import { ConfigError, describeFound, describeSource, type Problem, type Source } from './problem.ts'
import { envNames, type Leaf, valuesOf } from './setting.ts'
import { type FileLayer, type Given, readTomlFile } from './toml.ts'

export type Env = Record<string, string | undefined>

/**
 * The process's environment, read only here; everything else takes it as an argument, so that tests can pass another.
 */
export function environment(): Env {
  return process.env
}

interface Where {
  env: Env
  cwd: string
  /** Values from the command line, by setting key. */
  options?: Record<string, string>
}

/** One setting as it is in effect. */
export interface Value {
  key: string
  /** Secrets are masked. */
  shown: string
  source: Source
  about: string
  env: string[]
}

/** A setting as the API and `grove doctor --json` show it. */
export function settingJson({ key, shown, source, env, about }: Value) {
  return { key, value: shown, source: describeSource(source), environment: env, about }
}

export interface Loaded {
  config: Config
  values: Value[]
  /** A setting with a problem is at its default. */
  problems: Problem[]
  projectRoot?: string
}

/**
 * All settings. Wrong or unknown ones in a file or the environment are reported to `warn`, all at once, and take their
 * default, because a slip in a file must not keep Grove from starting; on the command line they throw a ConfigError.
 */
export function loadConfig(where: Where, warn: (problems: [Problem, ...Problem[]]) => void = () => {}): Config {
  const { config, problems } = readConfig(where)
  const mistyped = problems.filter(({ source }) => source.kind === 'option')
  if (mistyped.length > 0) throw new ConfigError(mistyped)
  const [first, ...others] = problems
  if (first) warn([first, ...others])
  return config
}

/** All settings with their sources and problems. Precedence: command line, environment, project file, user file, default. */
export function readConfig({ env, cwd, options = {} }: Where): Loaded {
  const home = absolute(env.GROVE_HOME?.trim() || '~/.grove', cwd)
  const root = projectRoot(cwd, home)
  const user = readTomlFile(pathsOf({ home, log: {} as Config['log'] }).config, leaves)
  const project = root === undefined ? nothing() : readTomlFile(projectConfigFile(root), leaves)
  const layers = [fromOptions(options), fromEnvironment(env), project.given, user.given]
  const problems = [...project.problems, ...user.problems]

  const sources = new Map<string, Source>()
  const tree: Record<string, unknown> = {}
  for (const leaf of leaves) {
    const sound = layers.flatMap((layer) => {
      const given = layer.get(leaf.key)
      if (!given) return []
      const wrong = trouble(leaf, given, layer === project.given)
      if (!wrong) return [given]
      problems.push({ source: given.source, key: leaf.key, what: wrong })
      return []
    })
    if (sound[0]) {
      plant(tree, leaf.path, sound[0].value)
      sources.set(leaf.key, sound[0].source)
    }
  }

  const config: Config = valuesOf(ConfigSchema, tree)
  for (const { key, pair, expected, found } of contradictions(config)) {
    const what = `expected ${expected}, found ${describeFound(found)}`
    problems.push({ source: sources.get(key) ?? { kind: 'default' }, key, what })
    // Both take their defaults, which fit together: which of the two was meant cannot be known.
    for (const leaf of leaves.filter((one) => pair.includes(one.key))) {
      plant(config, leaf.path, leaf.fallback)
      sources.delete(leaf.key)
    }
  }
  config.home = home
  if (config.log.dir) config.log.dir = absolute(config.log.dir, cwd)
  if (config.log.file) config.log.file = absolute(config.log.file, cwd)
  return {
    config,
    problems,
    ...(root !== undefined && { projectRoot: root }),
    // Only for display, and few callers show any.
    get values() {
      return leaves.map((leaf) => ({
        key: leaf.key,
        shown: show(leaf, dig(config, leaf.path)),
        source: sources.get(leaf.key) ?? ({ kind: 'default' } as const),
        about: leaf.about,
        env: envNames(leaf),
      }))
    },
  }
}

function nothing(): FileLayer {
  return { given: new Map(), problems: [] }
}

function fromOptions(options: Record<string, string>): Map<string, Given> {
  const given = leaves.flatMap((leaf): [string, Given][] => {
    const text = options[leaf.key]
    if (text === undefined) return []
    const name = `--${leaf.key.replace(/[._]/g, '-')}`
    return [[leaf.key, { value: leaf.kind.fromText(text), source: { kind: 'option', name } }]]
  })
  return new Map(given)
}

/** An empty variable counts as not set, as in most programs. */
function fromEnvironment(env: Env): Map<string, Given> {
  const given = leaves.flatMap((leaf): [string, Given][] => {
    const name = envNames(leaf).find((candidate) => env[candidate]?.trim())
    if (name === undefined) return []
    return [[leaf.key, { value: leaf.kind.fromText(env[name]!.trim()), source: { kind: 'environment', name } }]]
  })
  return new Map(given)
}

/** What is wrong with a value, if anything. */
function trouble(leaf: Leaf, { value, source }: Given, fromProject: boolean): string | undefined {
  const [env] = envNames(leaf)
  if (leaf.only === 'environment' && source.kind === 'file') return `can only be set through the environment: ${env}`
  if (leaf.only === 'user' && fromProject) {
    const elsewhere = ['your own config.toml', env].filter(Boolean).join(' or ')
    return `a project may not decide this, because its file comes with every clone; set it in ${elsewhere}`
  }
  if (leaf.kind.accepts(value)) return undefined
  const found = leaf.secret ? 'another value (hidden)' : maskPassword(describeFound(value))
  return `expected ${leaf.kind.expects.replaceAll('`', '"')}, found ${found}`
}

function show(leaf: Leaf, value: unknown): string {
  if (value === undefined) return '(not set)'
  if (Array.isArray(value) && value.length === 0) return '(none)'
  if (leaf.secret === 'whole') return '***'
  if (leaf.secret === 'url') return maskPassword(String(value))
  if (leaf.key === 'home') return tilde(String(value))
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object') return Object.keys(value as object).length > 0 ? JSON.stringify(value) : '(none)'
  return String(value)
}

function plant(tree: Record<string, unknown>, [name, ...rest]: string[], value: unknown): void {
  if (name === undefined) return
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  tree[name] ??= {}
  plant(tree[name] as Record<string, unknown>, rest, value)
}

function dig(tree: unknown, path: string[]): unknown {
  return path.reduce((node, name) => (node as Record<string, unknown>)[name], tree)
}
