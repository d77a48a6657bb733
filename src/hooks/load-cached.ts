import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { CodeCache, removeCaches } from './code-cache.ts'

interface Loaded<T> {
  module: T
  /** Writes V8's compiled code to the cache where that is due. Called when the answer has left. */
  save(): void
}

/**
 * Loads a CommonJS file, and what it requires from its own folder, with V8's compiled code cached in another folder:
 * compiling is most of what starting them costs. Each event runs other functions, so each has a cache of its own.
 */
export function loadCached<T>(entry: string, event: string, cacheFolder: string): Loaded<T> {
  // Compiled code fits one engine; with several Nodes on a machine, each has its own.
  const engine = `hook-${process.versions.v8}-${process.arch}-`
  // V8 compares no more than the length of a source. The other files are written together with this one.
  const { size, mtimeMs } = statSync(entry)
  const build = `${engine}${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}-`
  const name = `${build}${event.replace(/[^a-z-]/g, '').slice(0, 40)}.bin`
  const cache = new CodeCache(join(cacheFolder, name), Date.now())

  const modules = new Map<string, { exports: unknown }>()
  const load = (path: string): unknown => {
    const loaded = modules.get(path)
    if (loaded) return loaded.exports
    const name = basename(path)
    const cachedData = cache.codeOf(name)
    const script = new Script(wrapped(readFileSync(path, 'utf8')), {
      filename: path,
      ...(cachedData && { cachedData }),
    })
    cache.add(name, script)
    const module = { exports: {} }
    modules.set(path, module)
    const requireHere = (id: string) => (id.startsWith('.') ? load(join(dirname(path), id)) : requireLazily(id))
    script.runInThisContext()(module.exports, requireHere, module, path, dirname(path))
    return module.exports
  }
  return {
    module: load(entry) as T,
    save: () => {
      const isOutdated = (name: string) => name.startsWith(engine) && !name.startsWith(build)
      if (cache.save()) removeCaches(cacheFolder, isOutdated)
    },
  }
}

/** The function that Node makes of a CommonJS file. */
function wrapped(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${source}\n})`
}

/** Loads a module of Node when something of it is first used: child_process and crypto take 4 ms each. */
function requireLazily(id: string): unknown {
  if (!id.startsWith('node:')) return require(id)
  return new Proxy(Object.create(null), {
    get: (_, name) => Reflect.get(require(id), name),
    has: (_, name) => Reflect.has(require(id), name),
    ownKeys: () => Reflect.ownKeys(require(id)),
    getOwnPropertyDescriptor: (_, name) => {
      const property = Reflect.getOwnPropertyDescriptor(require(id), name)
      return property && { ...property, configurable: true }
    },
  })
}
