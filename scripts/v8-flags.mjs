// Checks that the V8 flags which Grove sets while it runs exist.
import { execFileSync } from 'node:child_process'
import { build } from 'esbuild'

/** The modules that set flags, and the names by which they tell which. */
const SETTING = [
  ['src/proxy/heap.ts', 'HEAP_FLAG'],
  ['src/hooks/short-lived.ts', 'UNUSED_BY_SHORT_LIVED'],
]

/** Throws when the Node that runs this does not know one of them. */
export async function checkV8Flags(root, node = process.execPath) {
  const known = execFileSync(node, ['--v8-options'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  for (const [file, name] of SETTING) {
    const source = { absWorkingDir: root, entryPoints: [file], format: 'esm', write: false }
    const { outputFiles } = await build(source)
    const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
    const unknown = [module[name]].flat().find((flag) => !new RegExp(`^ *${flag}\\b`, 'm').test(known))
    if (unknown)
      throw new Error(
        `Node ${process.versions.node} does not know the V8 flag ${unknown}. Take its V8 (${process.versions.v8}) out of ${file}, or remove the flag.`,
      )
  }
}
