import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { leaves } from '../src/config/config.ts'

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
  demo: ['core', 'protocol', 'config', 'hooks', 'simulator'],
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
  cli: ['config', 'protocol', 'daemon', 'simulator', 'demo'],
}

const src = join(import.meta.dirname, '..', 'src')
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, room: file.split(sep)[0]!, text: readFileSync(join(src, file), 'utf8') }))

describe('rooms', () => {
  it('are all in the table', () => {
    expect([...new Set(sources.map(({ room }) => room))].filter((room) => !(room in rooms))).toEqual([])
  })

  it.each(Object.entries(rooms))('%s imports only the rooms that its row names', (room, allowed) => {
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

  it('cli loads daemon, simulator and demo only on use', () => {
    const eager = sources
      .filter(({ room }) => room === 'cli')
      .filter(({ text }) => /^import (?!type)[^\n]*'#(daemon|simulator|demo)\//m.test(text))
      .map(({ file }) => file)
    expect(eager).toEqual([])
  })

  it('adapters that open something are constructed in daemon/compose only', () => {
    const adapters = /^(?:storage\/(?:sqlite|team|search|backends)\/|storage\/[\w-]+\.ts|llm\/|exec\/git\/cache\.ts)/
    const constructing = [...valueImports(true)].flatMap(([file, targets]) => {
      const room = file.split('/')[0]!
      const mayOpen = file.startsWith('daemon/compose/') || room === 'storage' || room === 'llm'
      return mayOpen ? [] : targets.filter((target) => adapters.test(target)).map((target) => `${file} → ${target}`)
    })
    expect(constructing).toEqual([])
  })

  it('modules do not need each other to be loaded', () => {
    expect(cyclesIn(valueImports(false))).toEqual([])
  })

  it('every setting is read somewhere', () => {
    const code = sources.filter(({ file }) => !/^(?:config\/config|core\/ports\/)/.test(posix(file)))
    const text = code.map((source) => codeOnly(source.text)).join('\n')
    // Single switches are read by the names in a list.
    const named = leaves.filter(({ path }) => !path.includes('overrides'))
    const unread = named.filter(({ path }) => !new RegExp(`\\b${path.at(-1)}\\b`).test(text))
    expect(unread.map(({ key }) => key)).toEqual([])
  })

  it('a slice of the session state is replaced only by the file that declares it', () => {
    const strays = sources
      .filter(({ text }) => text.includes('SessionState'))
      .flatMap(({ file, text }) =>
        [...codeOnly(text).matchAll(WRITES_A_SLICE)]
          .filter(([, slice]) => file !== join('supervisor', 'session', `${slice}.ts`))
          .map(([write]) => `${file}: ${write}`),
      )
    expect(strays).toEqual([])
  })

  it("a project's files are opened by one module", () => {
    const known = Object.values(OPENING).flat()
    const opening = sources
      .filter(({ file, text }) => opensFiles(text) && !/(?:^|\/)testing\//.test(posix(file)))
      .map(({ file }) => posix(file))
    expect(opening.filter((file) => !known.includes(file))).toEqual([])
    expect(known.filter((file) => !sources.some((source) => posix(source.file) === file))).toEqual([])
  })

  it('documents name only files that there are', () => {
    const root = join(src, '..')
    const own = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', ...markdownIn('docs')]
    const there = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${posix(file)}`),
    )
    const missing = own.flatMap((document) =>
      [...readFileSync(join(root, document), 'utf8').matchAll(NAMED_FILE)]
        .map(([, file]) => file!)
        .filter((file) => !there.some((one) => one.endsWith(`/${file}`)) && !EXAMPLES.has(file))
        .map((file) => `${document}: ${file}`),
    )
    expect(missing).toEqual([])
  })

  it('the environment is read in config/load.ts only, and in the processes that start before configuration', () => {
    const readers = sources
      .filter(({ text }) => /process\.env\b/.test(text))
      .map(({ file }) => file)
      .filter((file) => !['config/load.ts', 'hooks/command.ts', 'cli/main.ts'].includes(file))
    expect(readers).toEqual([])
  })
})

/**
 * Files that open others by themselves. What came with a repository, or what an agent may have put there, is opened through
 * `config/plain-file.ts` alone; these open what is not the project's.
 */
const OPENING: Record<string, string[]> = {
  'plain-file.ts itself, and what writes a draft beside a file that went through it': [
    'config/plain-file.ts',
    'storage/files/append.ts',
    'storage/files/atomic.ts',
    'storage/files/stats-log.ts',
  ],
  "files of Grove's home, of mode 0700": [
    'cli/commands/logs.ts',
    'cli/features.ts',
    'cli/http.ts',
    'daemon/attach/attach-record.ts',
    'daemon/commands/open.ts',
    'daemon/commands/team.ts',
    'daemon/process/home.ts',
    'daemon/process/hook-log.ts',
    'daemon/process/lock.ts',
    'daemon/process/log.ts',
    'daemon/process/installation-facts.ts',
    'daemon/process/start-daemon.ts',
    'exec/claude/spawn-log.ts',
    'exec/claude/spawn-records.ts',
    'exec/git/tree-watch.ts',
    'hooks/code-cache.ts',
    'server/token.ts',
    'storage/files/intent-book.ts',
    'storage/files/ledger-heads.ts',
    'storage/files/trace-index.ts',
    'storage/files/workflow-events.ts',
    'storage/files/workflow-json.ts',
    'storage/files/workflow-output.ts',
    'storage/files/workflow-store.ts',
    'storage/sqlite/file.ts',
    'storage/sqlite/recover-damaged.ts',
  ],
  "the system's own, and Claude Code's": [
    'daemon/attach/attach.ts',
    'daemon/attach/service.ts',
    'daemon/process/listen-error.ts',
    'daemon/process/watchdog.ts',
    'cli/run-client.ts',
    'exec/claude/parked-on-disk.ts',
    'exec/import/transcripts.ts',
    'exec/peers/tcp-table.ts',
    'exec/process/table.ts',
    'exec/process/waits-at-pipe.ts',
  ],
  "Grove's own package": ['exec/syntax/parse.ts', 'hooks/load-cached.ts', 'server/web-files.ts'],
  'a file that a person names in a command': [
    'cli/commands/export.ts',
    'cli/commands/feature.ts',
    'cli/commands/reflect.ts',
    'daemon/commands/memory.ts',
  ],
  "git's index and records beside it, copied for a look": [
    'exec/git/work-tree.ts',
    'exec/repository/helper-files.ts',
    'exec/repository/scratch-index.ts',
  ],
  'stages of tests and of the demo': ['demo/agent/conversation.ts', 'demo/agent/tools.ts', 'demo/stage.ts'],
}

/** A source file between backquotes, with as much of its path as is said. */
const NAMED_FILE = /`(?:[^`\n*]*[ (])?([\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|[cm]js))(?=[`) ])/g

/** Files of the readers, in examples. */
const EXAMPLES = new Set(['room/file.ts', 'src/mail/send.ts', 'src/mail/templates.ts'])

function markdownIn(folder: string): string[] {
  return readdirSync(join(src, '..', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${posix(file)}`)
}

/** Whatever the session is called there. */
const WRITES_A_SLICE =
  /\.(place|work|drift|deliveries|injected|window|judging|transcript|lookups|attachments)\b[\w.]* =(?![=>])|Object\.assign\(session\b/g

const OPENS =
  /\b(?:readFile|writeFile|appendFile|copyFile|open|cp|truncate)(?:Sync)?\b|\bcreate(?:Read|Write)Stream\b|\bopenAsBlob\b/

function opensFiles(text: string): boolean {
  const names = [...text.matchAll(/import (?:type )?\{([^}]*)\} from 'node:fs(?:\/promises)?'/g)]
  const isWhole = /import (?:\* as )?\w+ from 'node:fs|getBuiltinModule\('node:fs|require\('node:fs/.test(text)
  return isWhole || names.some(([, list = '']) => OPENS.test(list))
}

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

/** Every module with the modules it loads: imports of types only are gone at run time. With `onUse`, also by `import()`. */
function valueImports(onUse: boolean): Map<string, string[]> {
  return new Map(
    sources.map(({ file, text }) => {
      const statements = text.matchAll(/^(?:import\s*|(?:import|export)\b([^'"`;]*?)\bfrom\s*)'([^']+)'/gm)
      const loaded = [...statements].filter(([, names = '']) => !isTypesOnly(names)).map(([, , from]) => from!)
      const later = onUse ? [...text.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, from]) => from!) : []
      const own = [...loaded, ...later].filter((from) => /^[.#]/.test(from))
      const name = (from: string) => (from.startsWith('#') ? from.slice(1) : join(file, '..', from))
      return [posix(file), own.map((from) => posix(name(from)))]
    }),
  )
}

/** `type { A }`, or `{ type A, type B }`. */
function isTypesOnly(names: string): boolean {
  if (/^\s*type\b/.test(names)) return true
  const listed = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1]
  return (
    listed
      ?.split(',')
      .filter((name) => name.trim() !== '')
      .every((name) => /^\s*type\s/.test(name)) ?? false
  )
}

/** The cycles of a graph, each as the path that closes it. */
function cyclesIn(graph: Map<string, string[]>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (node: string) => {
    if (path.includes(node)) {
      cycles.push([...path.slice(path.indexOf(node)), node].join(' → '))
      return
    }
    if (done.has(node)) return
    path.push(node)
    for (const next of graph.get(node) ?? []) visit(next)
    path.pop()
    done.add(node)
  }
  for (const node of graph.keys()) visit(node)
  return cycles
}

function posix(path: string): string {
  return path.split(sep).join('/')
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
