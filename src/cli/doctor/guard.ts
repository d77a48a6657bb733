import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, ok, warn } from './check.ts'

/**
 * Whether declared intents are enforced by hooks, and whether those hooks wait as long as a person may take to answer.
 */
export const checkGuard: Check = async ({ cli, settings: { config, projectRoot } }) => {
  const root = projectRoot ?? cli.cwd
  if (!existsSync(join(root, '.orchestration', 'active_intents.yaml'))) return []
  const { hookFacts } = await import('#daemon/attach/hook-facts.ts')
  const { grants } = await import('#daemon/attach/hook-timeouts.ts')
  const files = hookFacts(config, cli.env, root)
  const granted = grants(root, cli.env)
  if (files.some(({ disabled }) => disabled) || granted.length === 0) {
    return [
      warn(
        'guard',
        'this project has intents, but Grove is not attached, so nothing enforces them',
        'Run `grove init`, and leave "disableAllHooks" out of the settings.',
      ),
    ]
  }
  const wait = config.guard.approvalWaitSeconds
  const [shortest] = granted.sort((a, b) => a.seconds - b.seconds)
  if (shortest && shortest.seconds <= wait) {
    return [
      warn(
        'guard',
        `a hook times out after ${shortest.seconds} s (${shortest.file}), before the ${wait} s that a person has to approve; Grove stops waiting when the hook does`,
        'Run `grove init` again; it writes a longer timeout. For the plugin or managed settings, lower guard.approval_wait_seconds.',
      ),
    ]
  }
  return [ok('guard', `hooks enforce the intents of this project; a person has ${wait} s to approve`)]
}
