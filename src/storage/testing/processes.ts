import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** A program of ours, bundled so that a plain Node can run it as its own process. */
export interface TestProgram {
  start(...args: string[]): ChildProcess
  /** Runs it to its end. */
  run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>
  remove(): void
}

/** Bundles a TypeScript file under `node_modules`, from where its dependencies are found as usual. */
export async function bundleProgram(entry: URL): Promise<TestProgram> {
  const cache = join(dirname(fileURLToPath(import.meta.url)), '../../../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'grove-test-'))
  const outfile = join(folder, 'program.mjs')
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // All but what is native goes into the bundle: one file is read faster than the hundreds of a package.
    external: ['@photostructure/sqlite', 'pg-native'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
    logLevel: 'warning',
  })

  const start = (...args: string[]) => spawn(process.execPath, [outfile, ...args])
  return {
    start,
    run: (...args) => ended(start(...args)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}
