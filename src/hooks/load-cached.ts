import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { CodeCache, removeCaches } from './code-cache.ts'
import { ShortLived } from './short-lived.ts'

interface Loaded<T> {
  module: T
  /** Writes V8's compiled code to the cache where that is due. Called when the answer has left. */
  save(): void
}

/** What Node makes of a CommonJS file. */
type Module = (exports: object, require: (id: string) => unknown, module: object, file: string, folder: string) => void

/**
 * Runs a module of the folder that `scripts/hook-bundles.mjs` builds, with V8's compiled code cached in another folder:
 * compiling is most of what starting it costs. A file of that folder holds modules by their names; one that is not in
 * the first file has a file of its own. Each event runs other functions, so each has a cache of its own. `isShort` says that
 * there is little to do.
 */
export function loadCached<T>(entry: string, event: string, cacheFolder: string, isShort = false): Loaded<T> {
  // Compiled code fits one engine; with several Nodes on a machine, each has its own.
  const engine = `hook-${process.versions.v8}-${process.arch}-`
  // V8 compares no more than the length of a source. The other files are written together with this one.
  const { size, mtimeMs } = statSync(entry)
  const build = `${engine}${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}-`
  const name = `${build}${event.replace(/[^a-z-]/g, '').slice(0, 40)}.bin`
  const cache = new CodeCache(join(cacheFolder, name), Date.now())

  const folder = dirname(entry)
  const life = new ShortLived()
  const read = (file: string): Record<string, Module> => {
    const cachedData = cache.codeOf(file)
    const filename = join(folder, file)
    // They are written in ASCII (`scripts/ascii.mjs`).
    const source = readFileSync(filename, 'latin1')
    const script = life.usually(() => new Script(source, { filename, ...(cachedData && { cachedData }) }))
    cache.add(file, script)
    return script.runInThisContext()
  }
  const known = read(basename(entry))
  const modules = new Map<string, { exports: object }>()
  const load = (name: string): unknown => {
    const loaded = modules.get(name)
    if (loaded) return loaded.exports
    const module = { exports: {} }
    modules.set(name, module)
    const run = known[name] ?? read(name)[name]!
    run(module.exports, requireHere, module, join(folder, name), folder)
    return module.exports
  }
  // What this event uses of Node is loaded in one go: changing V8's flags for each of them takes as long as loading it.
  const builtins = new Map(cache.builtins.map((id) => [id, require(id)]))
  const builtin = (id: string) => {
    if (!builtins.has(id))
      builtins.set(
        id,
        life.usually(() => require(id)),
      )
    cache.addBuiltin(id)
    return builtins.get(id)
  }
  const requireHere = (id: string) => {
    if (id.startsWith('node:')) return builtins.get(id) ?? onUse(() => builtin(id))
    if (!id.startsWith('./')) return life.usually(() => require(id))
    return modules.get(id.slice(2))?.exports ?? onUse(() => load(id.slice(2)))
  }
  if (isShort) life.begin()
  return {
    module: load(basename(entry)) as T,
    save: () => {
      const isOutdated = (name: string) => name.startsWith(engine) && !name.startsWith(build)
      if (life.usually(() => cache.save())) removeCaches(cacheFolder, isOutdated)
    },
  }
}

/** A module that is loaded when something of it is first used: child_process and crypto take 4 ms each, and an event needs few of ours. */
function onUse(load: () => unknown): unknown {
  return new Proxy(Object.create(null), {
    get: (_, name) => Reflect.get(load() as object, name),
    has: (_, name) => Reflect.has(load() as object, name),
    ownKeys: () => Reflect.ownKeys(load() as object),
    getOwnPropertyDescriptor: (_, name) => {
      const property = Reflect.getOwnPropertyDescriptor(load() as object, name)
      return property && { ...property, configurable: true }
    },
  })
}
