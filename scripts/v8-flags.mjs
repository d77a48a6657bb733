// Checks that the V8 flags which Grove sets while it runs exist.
import { execFileSync } from 'node:child_process'
import { build } from 'esbuild'

/** Throws when the Node that runs this does not know the flag of src/proxy/heap.ts. */
export async function checkV8Flags(root, node = process.execPath) {
  const source = { absWorkingDir: root, entryPoints: ['src/proxy/heap.ts'], format: 'esm', write: false }
  const { outputFiles } = await build(source)
  const { HEAP_FLAG } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
  const known = execFileSync(node, ['--v8-options'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  if (new RegExp(`^ *${HEAP_FLAG}\\b`, 'm').test(known)) return
  throw new Error(
    `Node ${process.versions.node} does not know the V8 flag ${HEAP_FLAG}. Take its V8 (${process.versions.v8}) out of src/proxy/heap.ts, or remove the flag.`,
  )
}
