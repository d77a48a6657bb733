import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Which room may import which. Reading top to bottom is reading the architecture. */
const rooms: Record<string, string[]> = {
  core: [],
  protocol: ['core'],
  config: ['core'],
  storage: ['core', 'protocol', 'config'],
  llm: ['core', 'protocol', 'config'],
  exec: ['core', 'protocol', 'config'],
  supervisor: ['core', 'protocol', 'config'],
  workflow: ['core', 'protocol', 'config', 'supervisor'],
  proxy: ['core', 'protocol', 'config', 'supervisor', 'workflow'],
  hooks: ['core', 'protocol', 'config', 'supervisor', 'workflow'],
  mcp: ['core', 'protocol', 'config', 'supervisor', 'workflow'],
  server: ['core', 'protocol', 'config', 'supervisor', 'workflow'],
  simulator: ['core', 'protocol'],
  web: ['core', 'protocol'],
  daemon: [
    'core',
    'protocol',
    'config',
    'storage',
    'llm',
    'exec',
    'supervisor',
    'workflow',
    'proxy',
    'hooks',
    'mcp',
    'server',
  ],
  cli: ['config', 'protocol', 'daemon', 'simulator'],
}

const src = join(import.meta.dirname, '..', 'src')
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, room: file.split(sep)[0]!, text: readFileSync(join(src, file), 'utf8') }))

describe('rooms', () => {
  it('are all in the table', () => {
    expect([...new Set(sources.map(({ room }) => room))].filter((room) => !(room in rooms))).toEqual([])
  })

  it.each(Object.entries(rooms))('%s imports only the rooms below it', (room, allowed) => {
    const foreign = importsOf(room).filter(({ target }) => target !== room && !allowed.includes(target))
    expect(foreign).toEqual([])
  })

  it('core imports no library, no Node module and no clock', () => {
    const impure = sources
      .filter(({ room }) => room === 'core')
      .flatMap(({ file, text }) => {
        const libraries = specifiers(text).filter((name) => !name.startsWith('.') && !name.startsWith('#core/'))
        const effects = codeOnly(text).match(EFFECTS) ?? []
        return [...libraries, ...effects].map((what) => `${file}: ${what}`)
      })
    expect(impure).toEqual([])
  })

  it('relative imports stay inside their room', () => {
    const escaping = sources.flatMap(({ file, room, text }) =>
      specifiers(text)
        .filter((name) => name.startsWith('.'))
        .map((name) => relative(src, join(src, file, '..', name)))
        .filter((target) => target.split(sep)[0] !== room)
        .map((target) => `${file} → ${target}`),
    )
    expect(escaping).toEqual([])
  })

  it('cli loads daemon and simulator only on use', () => {
    const eager = sources
      .filter(({ room }) => room === 'cli')
      .filter(({ text }) => /^import (?!type)[^\n]*'#(daemon|simulator)\//m.test(text))
      .map(({ file }) => file)
    expect(eager).toEqual([])
  })

  it('a slice of the session state is replaced only by the file that declares it', () => {
    const strays = sources
      .filter(({ room, text }) => room === 'supervisor' && text.includes('SessionState'))
      .flatMap(({ file, text }) =>
        [...codeOnly(text).matchAll(/\bsession\.(\w+)[\w.]* =(?![=>])|Object\.assign\(session\b/g)]
          .filter(([, slice]) => file !== join('supervisor', 'session', `${slice}.ts`))
          .map(([write]) => `${file}: ${write}`),
      )
    expect(strays).toEqual([])
  })

  it('the environment is read in config/load.ts only, and in the processes that start before configuration', () => {
    const readers = sources
      .filter(({ text }) => /process\.env\b/.test(text))
      .map(({ file }) => file)
      .filter((file) => !['config/load.ts', 'hooks/command.ts', 'cli/main.ts'].includes(file))
    expect(readers).toEqual([])
  })
})

const EFFECTS =
  /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|process\.(?:env|argv|cwd|exit|stdin|stdout|stderr|hrtime|platform|on)\b|fetch\()/g

/** Without comments, texts and patterns: only code has effects. */
function codeOnly(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/(?:\\.|[^/\\\n])+\/[a-z]*/g, '')
}

/** What a file imports, statically or on use. */
function specifiers(text: string): string[] {
  const statements = text.matchAll(
    /^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm,
  )
  return [...statements].map((match) => (match[1] ?? match[2] ?? match[3])!)
}

function importsOf(room: string) {
  return sources
    .filter((source) => source.room === room)
    .flatMap(({ file, text }) =>
      specifiers(text)
        .filter((name) => name.startsWith('#'))
        .map((name) => ({ file, target: name.slice(1).split('/')[0]! })),
    )
}
