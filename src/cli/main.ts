#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { version } from '#config/version.ts'

// This file is all that `grove --version` and `grove hook` load; everything else is imported once it is known to be wanted.

const [first, second = ''] = process.argv.slice(2)
const isHook = first === 'hook' && !['-h', '--help'].includes(second)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`grove needs Node 20.19 or newer; this is Node ${process.versions.node}.\n`)
  process.exitCode = isHook ? 0 : 1
} else if (first === '--version' || first === '-V') {
  process.stdout.write(`${version}\n`)
} else if (isHook) {
  await answerHook(new URL('./hook.cjs', import.meta.url))
} else {
  const { run } = await import('./program.ts')
  process.exitCode = await run(process.argv.slice(2))
}

/** A hook never stops the agent, not even when the hook client is missing from this installation. */
async function answerHook(client: URL): Promise<void> {
  if (existsSync(client)) await import(client.href)
  else process.stderr.write('grove: this installation has no hook client; the agent goes on without it.\n')
}
