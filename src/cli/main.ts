#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { findClient, runClient } from './run-client.ts'

// This file is all that `grove --version` and `grove hook` load; everything else is imported once it is known to be wanted.

const [first, ...rest] = process.argv.slice(2)
const isForHelp = rest.length === 1 && ['-h', '--help'].includes(rest[0]!)
const isHook = first === 'hook' && !isForHelp
const isClaude = first === 'claude' && !isForHelp
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  const old = `grove needs Node 20.19 or newer; this is Node ${process.versions.node}`
  if (isClaude) startClient(plainly(old))
  else process.stderr.write(`${old}.\n`)
  process.exitCode = isHook || isClaude ? 0 : 1
} else if (['--version', '-V', '-v'].includes(first ?? '')) {
  const { version } = await import('#config/version.ts')
  process.stdout.write(`${version}\n`)
} else if (isHook) {
  await answerHook(new URL('./hook.cjs', import.meta.url))
} else if (isClaude) {
  startClient(await prepared())
} else {
  const { run } = await import('./program.ts')
  process.exitCode = await run(process.argv.slice(2))
}

/** A hook never stops the agent, not even when the hook client is missing from this installation. */
async function answerHook(client: URL): Promise<void> {
  if (existsSync(client)) await import(client.href)
  else process.stderr.write('grove: this installation has no hook client; the agent goes on without it.\n')
}

interface Prepared {
  env: NodeJS.ProcessEnv
  bin: string
  /** One line for the user, where something is off. */
  note?: string
  /** Keeps a proxy running for as long as the client runs. */
  watch?: () => void
}

async function prepared(): Promise<Prepared> {
  try {
    const { prepareClaude } = await import('./commands/claude.ts')
    return await prepareClaude((bin, path) => findClient(bin, path) !== undefined)
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n')
    return plainly(`this installation of Grove is damaged (${reason})`)
  }
}

function plainly(trouble: string): Prepared {
  const note = `${trouble}, so Claude Code runs without the proxy. Install Grove again: npm install -g grovekeeper`
  return { env: process.env, bin: process.env.GROVE_CLAUDE_BIN || 'claude', note }
}

function startClient({ env, bin, note, watch }: Prepared): void {
  const client = findClient(bin, env.PATH)
  if (client === undefined) {
    process.stderr.write(
      `grove: Claude Code was not found: there is no program ${bin} on the PATH (a shell alias does not count).\nInstall it, or set GROVE_CLAUDE_BIN to its path (\`type ${bin}\` shows where an alias leads).\n`,
    )
    process.exitCode = 127
    return
  }
  if (note) process.stderr.write(`grove: ${note}\n`)
  runClient(client, rest, env)
  watch?.()
}
