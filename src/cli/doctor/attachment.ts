import { isDirect } from '#config/company-proxy.ts'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { pathsOf, tilde } from '#config/paths.ts'
import type { DoctorFinding } from '#protocol/api/settings.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Whether Claude Code, started here, would go through Grove, and would lose nothing by it. */
export const checkAttachment: Check = async ({ cli, settings }) => {
  const { clientEnvironment } = await import('#daemon/attach/client-environment.ts')
  const { env, managed, unreadable } = clientEnvironment(cli.env, settings.projectRoot ?? cli.cwd)
  const fix = 'Fix the file; Claude Code ignores it silently.'
  const problems = unreadable.map(({ file, problem }) => warn('attached', `${tilde(file)}: ${problem.message}`, fix))
  const { ownGateway } = await import('#daemon/attach/proxy-variables.ts')
  const gateway = ownGateway(env, settings.config.proxy, undefined)
  if (managed.ANTHROPIC_BASE_URL) {
    const where = `your administrator's settings send Claude Code to ${managed.ANTHROPIC_BASE_URL}, without the proxy`
    return [...problems, warn('attached', where, 'There is nothing to fix: hooks and tools work anyway.')]
  }
  return [...problems, ...judge(env, settings.config, gateway)]
}

function judge(env: Env, config: Config, gateway: string | undefined): DoctorFinding[] {
  const base = env.ANTHROPIC_BASE_URL
  if (!base || !pointsAt(base, config.proxy.port)) {
    if (!gateway) {
      return [ok('attached', 'through the proxy with `grove claude`; a plain `claude` goes straight to the API')]
    }
    return [
      warn(
        'attached',
        `Claude Code goes to ${gateway} (ANTHROPIC_BASE_URL), without the proxy`,
        `To have both, put target = "${gateway}" under [proxy] in ${tilde(pathsOf(config).config)} and start \`grove claude\`.`,
      ),
    ]
  }
  return [...pointed(env, base), toolSearch(env), smallModel(env), hints(env)]
}

/** A company's proxy (HTTPS_PROXY) would also take requests that are meant for this machine. */
function pointed(env: Env, base: string): DoctorFinding[] {
  if (isDirect(env, base)) return [ok('attached', `ANTHROPIC_BASE_URL is ${base}`)]
  const { hostname } = new URL(base)
  return [
    fail(
      'attached',
      `Claude Code goes to ${base} through the proxy in HTTPS_PROXY, which is sent your prompts and key`,
      `Add ${hostname} to NO_PROXY, or run \`grove init --proxy\` again where HTTPS_PROXY is set.`,
    ),
  ]
}

/** Behind a custom base URL the client puts every MCP tool into each request unless told otherwise. */
function toolSearch(env: Env): DoctorFinding {
  if (env.ENABLE_TOOL_SEARCH === 'true') return ok('tool search', 'on')
  return warn(
    'tool search',
    'Claude Code switches it off behind a custom base URL, which costs tokens',
    'Set ENABLE_TOOL_SEARCH=true where you set ANTHROPIC_BASE_URL.',
  )
}

/** Behind a custom base URL small side requests go to the main model unless a small one is named. */
function smallModel(env: Env): DoctorFinding {
  const model = env.ANTHROPIC_DEFAULT_HAIKU_MODEL || env.ANTHROPIC_SMALL_FAST_MODEL
  if (model) return ok('small model', model)
  return warn(
    'small model',
    'behind a custom base URL, Claude Code uses the main model for small requests',
    'Set ANTHROPIC_DEFAULT_HAIKU_MODEL=claude-haiku-4-5 where you set ANTHROPIC_BASE_URL.',
  )
}

/** Without these headers requests are told apart by their form alone, which changes with the client. */
function hints(env: Env): DoctorFinding {
  const name = 'CLAUDE_CODE_GATEWAY_HINT_HEADERS'
  if (env[name] === '1') return ok('request classes', 'Claude Code sends them')
  return warn('request classes', 'Claude Code does not send them', `Set ${name}=1 where you set ANTHROPIC_BASE_URL.`)
}

function pointsAt(base: string, port: number): boolean {
  if (!URL.canParse(base)) return false
  const { hostname, port: written } = new URL(base)
  return Number(written) === port && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
