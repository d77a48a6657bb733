import type { Call, Effect } from '../call.ts'
import { copyPlace } from '../expand.ts'
import { readOptions } from '../options.ts'
import { isRoutine } from '../routine.ts'
import { foldPath, joinPath, known, literal, type Output, type Value } from '../values.ts'
import { formatters } from './formatters.ts'
import { namedOutputs, unknownProgram } from './unknown-program.ts'

/** Package managers write a known handful of files; the packages' own scripts may write more. */
export const packages: Record<string, Effect> = {
  npm,
  npx: runner,
  pnpx: runner,
  bunx: runner,
  uvx: runner,
  pipx: (call) =>
    call.args[0]?.text === 'run'
      ? runner({ ...call, args: call.args.slice(1) })
      : call.undecided('pipx: installs programs'),
  yarn: (call) => nodeManager(call, 'yarn.lock'),
  pnpm: (call) => nodeManager(call, 'pnpm-lock.yaml'),
  bun: (call) => nodeManager(call, 'bun.lock'),
  pip,
  pip3: pip,
  poetry: (call) =>
    verbs(call, {
      manifest: 'pyproject.toml',
      lock: 'poetry.lock',
      adds: ['add', 'remove'],
      locks: ['lock', 'update', 'install'],
      reads: ['show', 'check', 'env', 'version'],
    }),
  uv: (call) => {
    const [verb, ...args] = call.args
    if (verb?.text === 'run') return call.run(args)
    if (verb?.text === 'pip') return pip({ ...call, args })
    if (verb?.text === 'venv') return call.write(args[0] ?? known('.venv'), 'create', { tree: true })
    verbs(call, {
      manifest: 'pyproject.toml',
      lock: 'uv.lock',
      adds: ['add', 'remove'],
      locks: ['lock', 'sync'],
      reads: ['tree', 'version'],
      folder: '.venv',
    })
  },
  pipenv: (call) =>
    verbs(call, {
      manifest: 'Pipfile',
      lock: 'Pipfile.lock',
      // Without a package it installs what the manifest asks for.
      adds: [
        'uninstall',
        'upgrade',
        ...(call.args.filter(({ text }) => !text.startsWith('-')).length > 1 ? ['install'] : []),
      ],
      locks: ['lock', 'update', 'sync', 'install'],
      reads: ['graph', 'check', 'verify', 'requirements'],
    }),
  dotnet: (call) => {
    const [verb = '', noun = ''] = call.args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text)
    const changesPackages = /^(?:add|remove|package)$/.test(verb) && !/^(?:list|search)$/.test(noun)
    if (changesPackages) call.write({ text: '**/*.*proj', glob: true }, 'modify', { maybe: true })
    return unknownProgram(call)
  },
  mvn: maven,
  cargo: (call) => {
    const [verb, ...args] = call.args
    if (verb?.text === 'fmt') {
      if (!args.some((arg) => arg.text === '--check'))
        call.write({ text: '**/*.rs', glob: true }, 'modify', { maybe: true })
      return
    }
    if (verb?.text === 'new' || verb?.text === 'init')
      return call.write(readOptions(args, { values: 'name edition' }).operands[0] ?? known('.'), 'create', {
        tree: true,
      })
    verbs(call, {
      manifest: 'Cargo.toml',
      lock: 'Cargo.lock',
      adds: ['add', 'remove', 'rm'],
      locks: ['update', 'generate-lockfile'],
      reads: ['tree', 'metadata', 'search', 'version'],
    })
  },
  go,
  bundle: (call) => {
    const [verb, ...args] = call.args
    if (verb?.text === 'exec') return call.run(args)
    verbs(call, {
      manifest: 'Gemfile',
      lock: 'Gemfile.lock',
      adds: ['add', 'remove'],
      locks: ['install', 'update', 'lock'],
      reads: ['list', 'show', 'info', 'outdated', 'check'],
    })
  },
  composer: (call) =>
    verbs(call, {
      manifest: 'composer.json',
      lock: 'composer.lock',
      adds: ['require', 'remove'],
      locks: ['update', 'install'],
      reads: ['show', 'validate', 'outdated', 'licenses'],
      folder: 'vendor',
    }),
}

interface Files {
  manifest: string
  lock: string
  adds: string[]
  locks: string[]
  reads: string[]
  folder?: string
}

function verbs(call: Call, { manifest, lock, adds, locks, reads, folder }: Files): Output {
  const verb = call.args.find((arg) => !arg.text.startsWith('-'))?.text ?? ''
  if (reads.includes(verb) || verb === '') return
  if (verb === 'init') call.write(known(manifest), 'create')
  if (verb === 'new')
    call.write(
      call.args.findLast((arg) => !arg.text.startsWith('-')),
      'create',
      { tree: true },
    )
  const isKnownVerb = adds.includes(verb) || locks.includes(verb)
  if (!isKnownVerb) namedOutputs(call)
  if (adds.includes(verb)) call.write(known(manifest), 'modify')
  const isInstall = verb === 'install' || verb === 'sync'
  if (isKnownVerb) call.write(known(lock), 'modify', isInstall ? { byproduct: true } : {})
  if (isKnownVerb && folder) call.write(known(folder), 'modify', { tree: true, byproduct: true })
  call.undecided(`${call.name} ${verb}: runs programs of the project or its packages`)
}

const NPM_READS = new Set(
  'view info show v ls list la ll outdated search s whoami ping root prefix bin help explain why fund docs repo bugs owner access team token profile doctor get pack-dry query sbom dist-tag'.split(
    ' ',
  ),
)
const NPM_INSTALLS = new Set(
  'install i in ins add ci clean-install install-test it uninstall remove rm r un unlink update up upgrade dedupe ddp prune link ln rebuild'.split(
    ' ',
  ),
)

function npm(call: Call): Output {
  const options = readOptions(call.args, { values: 'prefix C w workspace registry loglevel tag' })
  const [verb, ...rest] = options.operands
  const name = verb?.text ?? ''
  if (NPM_READS.has(name) || name === '') return
  if (name === 'config' || name === 'c' || name === 'set')
    return npmSettings(call, name === 'set' ? ['set', ...rest.map(({ text }) => text)] : rest.map(({ text }) => text))
  const at = folderWriter(call, options.get('prefix', 'C'))
  if (name === 'exec' || name === 'x') return runner({ ...call, args: after(call, verb) })
  if (name === 'init' || name === 'create' || name === 'innit') {
    if (rest.length === 0) return at('package.json', 'create')
    call.write(rest[1] ?? known('.'), 'create', { tree: true })
  } else if (name === 'pkg') {
    if (rest[0]?.text === 'set' || rest[0]?.text === 'delete' || rest[0]?.text === 'fix') at('package.json', 'modify')
    return
  } else if (name === 'version') {
    if (rest.length === 0) return
    at('package.json', 'modify')
    at('package-lock.json', 'modify')
  } else if (name === 'audit') {
    if (rest[0]?.text !== 'fix') return
    at('package.json', 'modify')
    at('package-lock.json', 'modify')
    at('node_modules', 'modify')
  } else if (name === 'shrinkwrap') {
    at('npm-shrinkwrap.json', 'create')
  } else if (name === 'pack') {
    if (options.has('dry-run')) return
    call.write({ text: '*.tgz', glob: true }, 'create')
  } else if (NPM_INSTALLS.has(name) && !options.has('g', 'global')) {
    const isClean = /^(?:ci|clean-install|rebuild)$/.test(name)
    if (!isClean && rest.length > 0 && !options.has('no-save')) at('package.json', 'modify')
    const isAsDeclared = INSTALLS_AS_DECLARED.has(name) && rest.length === 0 && !options.has('package-lock-only')
    if (!isClean && !options.has('no-package-lock')) at('package-lock.json', 'modify', isAsDeclared)
    if (!options.has('package-lock-only')) at('node_modules', 'modify')
    if (options.has('ignore-scripts')) return
  }
  if (/^(?:run|run-script|rum|urn)$/.test(name)) packageScript(call, rest[0], options.get('prefix', 'C'))
  else if (/^(?:test|t|tst|start|stop|restart)$/.test(name))
    packageScript(call, known(name.startsWith('t') ? 'test' : name), options.get('prefix', 'C'))
  call.undecided(`npm ${name}: runs scripts of the project or its packages`)
}

/** `npm config set` writes the user's file, or that of the project when it is told so. */
function npmSettings(call: Call, [verb = 'list']: string[]): undefined {
  if (!/^(?:set|delete|rm|fix|edit)$/.test(verb)) return undefined
  const options = readOptions(call.args, { values: 'location L userconfig' })
  const where = options.get('location', 'L')?.text ?? (options.has('g', 'global') ? 'global' : 'user')
  if (where === 'global') return call.undecided('npm config: changes the settings of this machine')
  return call.write(options.get('userconfig') ?? known(where === 'project' ? '.npmrc' : '~/.npmrc'), 'modify')
}

/**
 * A script of `package.json` is read, with those that run before and after it; what one makes that is called a test or a build is
 * its output, unless this very command line has written the script.
 */
function packageScript(call: Call, script: Value | undefined, folder: Value | undefined): void {
  const name = literal(script)
  const start = call.place.cwd === undefined ? undefined : foldPath(joinPath(call.place.cwd, folder?.text ?? '.'))
  if (name === undefined || start === undefined || folder?.glob) return
  const home = packageFolder(call, start)
  const file = known(`${home}/package.json`)
  const manifest = call.scriptAt(file)
  if (manifest === undefined) return
  const makes = isRoutine(`./${name}`, []) && call.textWrittenTo(file) === undefined
  const place = { ...copyPlace(call.place), cwd: home }
  place.variables.set('INIT_CWD', [known(call.place.cwd!)])
  for (const each of [`pre${name}`, name, `post${name}`]) {
    const found = new RegExp(`"${each.replace(/\W/g, '\\$&')}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(manifest)?.[1]
    if (found) call.script(found.replaceAll('\\"', '"'), { place: copyPlace(place), ...(makes && { makes }) })
  }
}

/** The nearest folder with a manifest, from there up to the top of the project. */
function packageFolder(call: Call, start: string): string {
  for (let folder = start; call.root !== undefined && folder.startsWith(`${call.root}/`); ) {
    if (call.isThere(known(`${folder}/package.json`))) return folder
    folder = folder.slice(0, folder.lastIndexOf('/'))
  }
  return call.root !== undefined && start.startsWith(`${call.root}/`) ? call.root : start
}

/** Without a package to add they bring what the manifest asks for. */
const INSTALLS_AS_DECLARED = new Set('install i in ins install-test it'.split(' '))

function folderWriter(call: Call, folder: Value | undefined) {
  return (path: string, kind: 'create' | 'modify', isByproduct = false): undefined => {
    const text = folder ? `${folder.text.replace(/\/$/, '')}/${path}` : path
    const isFolder = path === 'node_modules'
    call.write({ text, glob: folder?.glob ?? false }, kind, {
      ...(isFolder && { tree: true }),
      ...((isByproduct || isFolder) && { byproduct: true }),
    })
  }
}

function nodeManager(call: Call, lock: string): Output {
  const options = readOptions(call.args, { values: 'cwd C dir filter F w' })
  const [verb] = options.operands
  const name = verb?.text ?? 'install'
  if (
    /^(why|list|ls|info|outdated|licenses|config|cache|bin|root|help|audit|version|view|pm|store|explain|constraints|doctor|search)$/.test(
      name,
    ) ||
    options.has('version', 'v')
  )
    return
  if (/^(dlx|exec|x)$/.test(name)) return runner({ ...call, args: after(call, verb) })
  const tool = formatters[name]
  if (tool) return tool({ ...call, name, args: after(call, verb) })
  const at = folderWriter(call, options.get('cwd', 'C', 'dir'))
  if (name === 'init') return at('package.json', 'create')
  if (/^(add|remove|rm|up|update|upgrade)$/.test(name) && !options.has('g', 'global')) at('package.json', 'modify')
  if (/^(add|remove|rm|up|update|upgrade|install|i)$/.test(name) && !options.has('g', 'global')) {
    const isAsDeclared = name === 'install' || name === 'i'
    if (!options.has('frozen-lockfile', 'immutable')) at(lock, 'modify', isAsDeclared && options.operands.length < 2)
    at('node_modules', 'modify')
  }
  packageScript(call, name === 'run' ? options.operands[1] : verb, options.get('cwd', 'C', 'dir'))
  call.undecided(`${call.name} ${name}: runs scripts of the project or its packages`)
}

/** The arguments behind a verb, options and all. */
function after(call: Call, verb: Value | undefined): Value[] {
  return verb ? call.args.slice(call.args.indexOf(verb) + 1) : []
}

/** `npx tool …`: a tool we know is judged by its own rules. */
function runner(call: Call): Output {
  const options = readOptions(call.args, { values: 'p package c call from with', stopAtOperand: true })
  const script = options.get('c', 'call')
  if (script) return call.script(script.text)
  const [tool, ...args] = options.operands
  if (!tool) return
  const name = tool.text.replace(/^(@[^/]+\/)?([^@]+)@.*$/, '$1$2')
  call.run([known(RENAMED[name] ?? name), ...args])
}

/** Packages whose command goes by another name. */
const RENAMED: Record<string, string> = {
  '@biomejs/biome': 'biome',
  '@typescript/native-preview': 'tsc',
  typescript: 'tsc',
  '@ast-grep/cli': 'ast-grep',
}

function pip(call: Call): Output {
  const verb = call.args.find((arg) => !arg.text.startsWith('-'))?.text ?? ''
  if (/^(list|show|freeze|check|config|index|search|help|cache|debug|)$/.test(verb)) return
  const options = readOptions(call.args, { values: 't target d dest w r c i index-url' })
  for (const folder of options.all('t', 'target', 'd', 'dest', 'w')) call.write(folder, 'create', { tree: true })
  call.undecided(`${call.name} ${verb}: installs packages and runs their scripts`)
}

/** Plugins that rewrite the manifests. */
function maven(call: Call): Output {
  const changes =
    /^versions:(?!display|dependency-updates|\S*-report)|^(?:tidy:pom|sortpom:sort|release:update-versions)$/
  if (call.args.some(({ text }) => changes.test(text))) call.write({ text: '**/pom.xml', glob: true }, 'modify')
  return unknownProgram(call)
}

function go(call: Call): Output {
  const [verb, ...args] = call.args
  const name = verb?.text ?? ''
  const options = readOptions(args, {
    values:
      'o run tags ldflags gcflags mod modfile coverprofile cpuprofile memprofile blockprofile bench benchtime timeout count parallel exec overlay C',
    singleDash: true,
  })
  if (/^(version|env|list|doc|vet|help|)$/.test(name)) return
  if (name === 'fmt') return call.write({ text: '**/*.go', glob: true }, 'modify', { maybe: true })
  if (name === 'mod') {
    const what = options.operands[0]?.text ?? ''
    if (/^(graph|verify|why|download)$/.test(what)) return
    if (options.has('diff', 'json', 'print')) return
    call.write(known('go.mod'), what === 'init' ? 'create' : 'modify')
    if (what === 'tidy') call.write(known('go.sum'), 'modify')
    if (what === 'vendor') call.write(known('vendor'), 'create', { tree: true })
    return
  }
  if (name === 'get') {
    call.write(known('go.mod'), 'modify')
    call.write(known('go.sum'), 'modify')
    return
  }
  for (const path of options.all('o', 'coverprofile', 'cpuprofile', 'memprofile')) call.write(path, 'create')
  if (name === 'build' && (options.has('o') || options.operands.some(({ text }) => text.endsWith('...')))) return
  call.undecided(`go ${name}: runs programs of the project`)
}
