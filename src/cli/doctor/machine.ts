import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Env } from '#config/load.ts'
import { tilde } from '#config/paths.ts'
import { type Check, fail, failure, ok, reason, warn } from './check.ts'

/** Checks of what Grove stands on: Node, programs, the home folder. */

export const checkNode: Check = () => {
  const { node } = process.versions
  const [major = 0] = node.split('.').map(Number)
  // Older versions never get here: cli/main.ts refuses them.
  if (major % 2 === 1) return [warn('node', `Node ${node} is not a long-term release`, 'Prefer an even major version.')]
  return [ok('node', `Node ${node}`)]
}

export const checkHome: Check = async ({ settings }) => {
  const { home } = settings.config
  const { ensureHome, tryToWrite } = await import('#daemon/process/home.ts')
  try {
    ensureHome(home)
    tryToWrite(home)
    return [ok('home', `${tilde(home)} is writable`)]
  } catch (error) {
    return [failure('home', error, 'Set GROVE_HOME to another folder.')]
  }
}

export const checkGit: Check = async ({ cli }) => {
  const path = findProgram('git', cli.env)
  if (!path)
    return [fail('git', 'git is not on the PATH', 'Install git: Grove needs it to recognize projects and changes.')]
  return [ok('git', await versionOf(path))]
}

export const checkClaude: Check = async ({ cli, settings }) => {
  const { bin } = settings.config.claude
  const path = findProgram(bin, cli.env)
  if (!path) {
    const fix = 'Install Claude Code (npm install -g @anthropic-ai/claude-code), or set GROVE_CLAUDE_BIN to its path.'
    return [warn('claude', `Claude Code was not found (${bin})`, fix)]
  }
  try {
    return [ok('claude', `${await versionOf(path)}, ${tilde(path)}`)]
  } catch (error) {
    return [
      warn(
        'claude',
        `${tilde(path)} does not start: ${reason(error)}`,
        'Reinstall Claude Code, or set GROVE_CLAUDE_BIN.',
      ),
    ]
  }
}

/** Where a command is found, as a shell would. */
function findProgram(name: string, env: Env): string | undefined {
  const isPath = /[\\/]/.test(name)
  const folders = isPath ? [''] : (env.PATH ?? '').split(delimiter).filter(Boolean)
  const endings = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE;.CMD').split(';')] : ['']
  const candidates = folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
  return candidates.find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Missing or not executable for this user: try the next folder.
    return false
  }
}

async function versionOf(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 15_000 })
  return stdout.trim().split('\n')[0] ?? ''
}
