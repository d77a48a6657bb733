import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

interface Loaded<T> {
  module: T
  /** Writes down what V8 has compiled, when that was not known yet. Called when there is time for it. */
  keep(): void
}

/** Compiled code fits one engine only; with several Nodes on a machine, each keeps its own. */
const ENGINE = `hook-${process.versions.v8}-${process.arch}-`

/**
 * Loads a CommonJS bundle, written as the function that Node makes of a module, with V8's compiled code kept in a folder:
 * compiling is two thirds of what starting the bundle costs. Each event uses other code, and so has its own. A folder
 * that cannot be used only costs time.
 */
export function loadCached<T>(file: string, event: string, folder: string): Loaded<T> {
  const { size, mtimeMs } = statSync(file)
  // V8 itself compares no more than the length of the source.
  const build = `${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}`
  const name = `${ENGINE}${build}-${event.replace(/[^a-z-]/g, '').slice(0, 40)}.bin`
  const cachedData = readIfThere(join(folder, name))
  // The bundle is ASCII, and latin1 is read without looking at each byte.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, ...(cachedData && { cachedData }) })
  const module = { exports: {} }
  // It lies beside this bundle, and so finds the same modules.
  script.runInThisContext()(module.exports, require, module, file, dirname(file))
  const known = cachedData !== undefined && !script.cachedDataRejected
  return {
    module: module.exports as T,
    keep: () => {
      if (!known) write(folder, name, build, script.createCachedData())
    },
  }
}

function write(folder: string, name: string, build: string, data: Buffer) {
  const draft = join(folder, `${name}.${process.pid}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(draft, data, { mode: 0o600 })
    renameSync(draft, join(folder, name))
    for (const other of readdirSync(folder)) {
      const isOld = other.startsWith(ENGINE) && !other.startsWith(`${ENGINE}${build}-`)
      if (isOld) rmSync(join(folder, other), { force: true })
    }
  } catch {
    // A full or read-only disk: the next start compiles again.
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    // Not compiled yet, or not readable: both mean compiling now.
    return undefined
  }
}
