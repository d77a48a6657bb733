import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { tilde } from '#config/paths.ts'
import { envOf, parseSettings } from '#protocol/settings.ts'
import { type Check, type Finding, ok, warn } from './check.ts'

/** Whether Claude Code, started here, would go through Grove, and would lose nothing by it. */
export const checkAttachment: Check = ({ cli, settings }) => {
  const { env, problems } = clientEnvironment(cli.env, cli.cwd, settings.projectRoot)
  return [...problems, ...judge(env, settings.config)]
}

function judge(env: Env, { proxy }: Config): Finding[] {
  const base = env.ANTHROPIC_BASE_URL
  const ours = `http://${proxy.host === '0.0.0.0' ? '127.0.0.1' : proxy.host}:${proxy.port}`
  if (!base) {
    return [
      warn(
        'attached',
        'Claude Code started here does not go through the proxy',
        `Run grove init, or start it with ANTHROPIC_BASE_URL=${ours} ENABLE_TOOL_SEARCH=true claude`,
      ),
    ]
  }
  if (!pointsAt(base, proxy.port)) {
    return [
      warn(
        'attached',
        `ANTHROPIC_BASE_URL is ${base}, which is not Grove`,
        `Set ANTHROPIC_BASE_URL=${ours}, and ANTHROPIC_TARGET=${base} for Grove`,
      ),
    ]
  }
  return [ok('attached', `ANTHROPIC_BASE_URL is ${base}`), toolSearch(env), smallModel(env)]
}

/** Behind a custom base URL the client puts every MCP tool into each request unless told otherwise. */
function toolSearch(env: Env): Finding {
  if (env.ENABLE_TOOL_SEARCH === 'true') return ok('tool search', 'on')
  return warn(
    'tool search',
    'Claude Code switches it off behind a custom base URL, which costs tokens',
    'Set ENABLE_TOOL_SEARCH=true where you set ANTHROPIC_BASE_URL.',
  )
}

/** Behind a custom base URL small side requests go to the main model unless a small one is named. */
function smallModel(env: Env): Finding {
  const model = env.ANTHROPIC_DEFAULT_HAIKU_MODEL || env.ANTHROPIC_SMALL_FAST_MODEL
  if (model) return ok('small model', model)
  return warn(
    'small model',
    'Claude Code asks the main model for small things behind a custom base URL',
    'Set ANTHROPIC_DEFAULT_HAIKU_MODEL=claude-haiku-4-5 where you set ANTHROPIC_BASE_URL.',
  )
}

function pointsAt(base: string, port: number): boolean {
  if (!URL.canParse(base)) return false
  const { hostname, port: written } = new URL(base)
  return Number(written) === port && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** What the client would see: its settings files set variables over the shell's, the nearest file last. */
function clientEnvironment(shell: Env, cwd: string, root: string | undefined): { env: Env; problems: Finding[] } {
  const user = join(shell.CLAUDE_CONFIG_DIR || join(shell.HOME || homedir(), '.claude'), 'settings.json')
  const project = ['settings.json', 'settings.local.json'].map((name) => join(root ?? cwd, '.claude', name))
  const problems: Finding[] = []
  const env = { ...shell }
  for (const file of new Set([user, ...project])) {
    const reading = parseSettings(readIfThere(file) ?? '{}')
    if (reading.ok) Object.assign(env, envOf(reading.settings))
    else
      problems.push(
        warn(
          'attached',
          `${tilde(file)}: ${reading.problem.message}`,
          'Fix the file; Claude Code ignores it silently.',
        ),
      )
  }
  return { env, problems }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not there, or not ours to read: then it sets nothing we could know of.
    return undefined
  }
}
