import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const start = `import { spareFullCollections } from ${JSON.stringify(join(import.meta.dirname, 'heap.ts'))}`

it.each([
  ['this V8', 'undefined'],
  ['a V8 that may not know the flag', '"99.1.2-node.3"'],
  ['a V8 with an odd name', '"next"'],
])('starts with %s and prints nothing', async (_name, v8) => {
  const contents = `${start}\nspareFullCollections(${v8})\nconsole.log('started')`
  const stdin = { contents, resolveDir: import.meta.dirname }
  const { outputFiles } = await build({ stdin, bundle: true, platform: 'node', write: false })
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', outputFiles[0]!.text], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'started\n', stderr: '' })
})
