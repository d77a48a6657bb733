import { tilde } from '#config/paths.ts'
import type { HookFacts } from '#daemon/attach/hook-facts.ts'
import type { DoctorFinding } from '#protocol/api/settings.ts'
import { type Check, fail, ok, warn } from './check.ts'

const AGAIN = 'Run `grove init` again; it brings them up to date.'

/** Whether Claude Code, started here, would tell Grove what it does. */
export const checkHooks: Check = async ({ cli, settings }) => {
  const { hookFacts } = await import('#daemon/attach/hook-facts.ts')
  const facts = hookFacts(settings.config, cli.env, settings.projectRoot ?? cli.cwd)
  if (facts.every(({ hooks, plugin, onlyManaged }) => hooks === 0 && !plugin && !onlyManaged)) {
    // Adding them takes nothing away from how Grove may be attached otherwise, so the page offers to do it.
    const missing = warn(
      'hooks',
      'Grove is not attached to Claude Code',
      'Run `grove init`; `grove unregister` undoes it.',
    )
    return [{ ...missing, remedy: 'attach' }]
  }
  return [...facts.map(judge), ...toldTwice(facts)]
}

/** Grove takes an event that it is told twice as one, but the agent waits for both. */
function toldTwice(facts: HookFacts[]): DoctorFinding[] {
  const plugin = facts.find((one) => one.plugin)
  const beside = facts.find(({ hooks }) => hooks > 0)
  if (!plugin || !beside) return []
  return [
    warn(
      'plugin',
      `the plugin is on (${tilde(plugin.file)}) beside the hooks in ${tilde(beside.file)}: every event is reported twice`,
      'Keep one of them: `claude plugin disable grove@grove`, or `grove unregister`.',
    ),
  ]
}

function judge({ file, hooks, plugin, disabled, onlyManaged, missing, astray, keyless }: HookFacts): DoctorFinding {
  const where = tilde(file)
  if (disabled) return warn('hooks', `${where} switches all hooks off`, 'Remove "disableAllHooks" from it.')
  if (onlyManaged && hooks === 0) {
    return warn(
      'hooks',
      `${where} lets only an administrator's hooks run, so Grove receives no events`,
      'Ask for "allowManagedHooksOnly" to be lifted, or start Claude Code with `grove claude`.',
    )
  }
  if (missing.length > 0) return fail('hooks', `${where} calls ${missing.map(tilde).join(', ')}: not there`, AGAIN)
  if (astray.length > 0) return warn('hooks', `${where} sends hooks to ${astray.join(', ')}, where Grove is not`, AGAIN)
  if (keyless > 0) {
    return warn('hooks', `${keyless} of ${where} lack the key of this home and are ignored`, AGAIN)
  }
  return ok('hooks', hooks === 0 && plugin ? `of the plugin, which ${where} switches on` : `${hooks} in ${where}`)
}
