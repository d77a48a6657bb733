import { type Command, Option } from 'commander'
import { tilde } from '#config/paths.ts'
import type { Cli } from '../context.ts'
import { onlyPeople } from '../people-only.ts'
import { print } from '../print.ts'

interface Options {
  user?: boolean
  project?: boolean
  all?: boolean
}

export function define(command: Command, cli: Cli): void {
  command
    .option('--user', 'only from your own settings')
    .addOption(new Option('--project', 'only from this project').conflicts('user'))
    .addOption(new Option('--all', 'from every project Grove was attached to').conflicts(['user', 'project']))
    .action(async (options: Options) => {
      await onlyPeople(cli, 'detach Grove')
      const { detachFromClaude } = await import('#daemon/attach/detach.ts')
      const { claudeFiles } = await import('#daemon/attach/claude-files.ts')
      const files = claudeFiles(cli.env)
      const root = cli.settings().projectRoot ?? cli.cwd
      const here = files.projectSettings(root)
      const wanted = options.user ? [files.userSettings] : options.project ? [here] : [files.userSettings, here]
      const { endBackground } = await import('#daemon/attach/end-background.ts')
      const changed = await detachFromClaude({
        config: cli.config(),
        env: cli.env,
        ...(!options.all && { settings: wanted }),
      })
      const { hookFacts } = await import('#daemon/attach/hook-facts.ts')
      const left = hookFacts(cli.config(), cli.env, root).filter(({ hooks }) => hooks > 0)
      print(
        changed.length > 0
          ? `Grove is detached from Claude Code. Changed: ${changed.map(tilde).join(', ')}`
          : 'Grove was not attached here; nothing was changed.',
      )
      for (const { file } of left)
        print(`It is still attached through ${tilde(file)}; \`grove unregister\` removes that too.`)
      for (const line of await endBackground(cli.config(), cli.env)) print(line)
    })
}
