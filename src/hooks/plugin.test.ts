import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { clientEnv, clientPath } from '../../test/support/claude.ts'
import { tempHome } from '../../test/support/home.ts'
import { hookEntries } from './entries.ts'

const root = join(import.meta.dirname, '..', '..')
const plugin = join(root, 'plugin')
const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))

describe('the plugin for Claude Code', () => {
  it.for([['marketplace.json'], ['plugin.json']] as const)(
    'is found valid by the client, without a warning: %s',
    async ([manifest], { onTestFinished }) => {
      const env = clientEnv(await tempHome(onTestFinished), 'http://127.0.0.1:9')
      const args = ['plugin', 'validate', join(plugin, '.claude-plugin', manifest), '--strict']
      expect((await promisify(execFile)(clientPath(), args, { env })).stdout).toContain('Validation passed')
    },
  )

  it('listens to the same events as `grove init`', () => {
    const target = {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
      command: { program: '${CLAUDE_PLUGIN_ROOT}/bin/grove-hook', args: [] },
      http: { url: '', key: '' },
      approvalWaitSeconds: 120,
    }
    const expected = hookEntries('command', target).map(({ event, hook }) => [event, [{ hooks: [hook] }]])
    expect(json(plugin, 'hooks', 'hooks.json').hooks).toEqual(Object.fromEntries(expected))
  })

  it('has the version of the package', () => {
    expect(json(plugin, '.claude-plugin', 'plugin.json').version).toBe(json(root, 'package.json').version)
  })

  it('speaks of tools and commands that agents have', () => {
    const files = readdirSync(plugin, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
    expect(files.sort()).toEqual([
      'commands/intent.md',
      'commands/reflect.md',
      'commands/status.md',
      'skills/grove/SKILL.md',
    ])
  })
})
