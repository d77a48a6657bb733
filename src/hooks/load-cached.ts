import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'

interface Loaded<T> {
  module: T
  /** Writes down what V8 has compiled, when that was not known yet. Called when there is time for it. */
  keep(): void
}

/** Compiled code fits one engine only; with several Nodes on a machine, each keeps its own. */
const ENGINE = `hook-${process.versions.v8}-${process.arch}-`

/** The number of modules that ran is kept behind the code. */
const COUNT = 4

/**
 * Loads a CommonJS bundle, written as the function that Node makes of a module, with V8's compiled code kept in a folder:
 * compiling is two thirds of what starting the bundle costs. So are the bundles beside it that it asks for. Each event
 * uses other code, and so has its own. A folder that cannot be used only costs time.
 */
export function loadCached<T>(file: string, event: string, folder: string): Loaded<T> {
  const fresh: (() => void)[] = []
  const known = new Map<string, { exports: unknown }>()
  const load = (path: string): unknown => {
    const before = known.get(path)
    if (before) return before.exports
    const { size, mtimeMs } = statSync(path)
    const bundle = `${ENGINE}${basename(path, '.cjs')}-`
    // V8 itself compares no more than the length of the source.
    const build = `${bundle}${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}-`
    const name = `${build}${event.replace(/[^a-z-]/g, '').slice(0, 40)}.bin`
    const { code: cachedData, ran } = readIfThere(join(folder, name)) ?? { code: undefined, ran: 0 }
    // The bundle is ASCII, and latin1 is read without looking at each byte.
    const script = new Script(readFileSync(path, 'latin1'), { filename: path, ...(cachedData && { cachedData }) })
    const isKept = cachedData !== undefined && !script.cachedDataRejected
    // As it runs, a bundle counts its modules here.
    const module = { exports: {}, ran: 0 }
    fresh.push(() => {
      // The first event in a new home does little. What a later one does more is worth keeping too.
      if (isKept && module.ran <= ran) return
      const count = Buffer.alloc(COUNT)
      count.writeUInt32LE(module.ran)
      write(folder, name, Buffer.concat([script.createCachedData(), count]), { bundle, build })
    })
    known.set(path, module)
    // All of them lie beside this bundle, and so find the same modules.
    const ask = (wanted: string) => (wanted.startsWith('./') ? load(join(dirname(path), wanted)) : require(wanted))
    script.runInThisContext()(module.exports, ask, module, path, dirname(path))
    return module.exports
  }
  return {
    module: load(file) as T,
    keep: () => {
      for (const keep of fresh) keep()
    },
  }
}

function write(folder: string, name: string, data: Buffer, { bundle, build }: { bundle: string; build: string }) {
  const draft = join(folder, `${name}.${process.pid}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(draft, data, { mode: 0o600 })
    renameSync(draft, join(folder, name))
    for (const other of readdirSync(folder)) {
      const isOld = other.startsWith(bundle) && !other.startsWith(build)
      if (isOld) rmSync(join(folder, other), { force: true })
    }
  } catch {
    // A full or read-only disk: the next start compiles again.
  }
}

function readIfThere(file: string): { code: Buffer; ran: number } | undefined {
  try {
    const bytes = readFileSync(file)
    const end = bytes.length - COUNT
    return { code: bytes.subarray(0, end), ran: bytes.readUInt32LE(end) }
  } catch {
    // Not compiled yet, not readable or cut off: all of them mean compiling now.
    return undefined
  }
}
