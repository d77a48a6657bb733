import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '#exec/spawn.ts'
import { guarded, intentsYaml } from '../../../../test/support/guarded.ts'

describe('a link in the scope that leads out of it', () => {
  it('is passed over by a search, and put back as a link by git', async ({ onTestFinished }) => {
    const stage = await guarded(onTestFinished, {
      '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/auth/**'] }),
      'src/auth/token.ts': 'export const ttl = 5\n',
      'src/billing/price.ts': 'export const price = 1\n',
    })
    await symlink('../billing', join(stage.dir, 'src/auth/link'))
    await run('bash', ['-c', 'git add -A && git commit -qm link'], { cwd: stage.dir })
    await stage.select('auth')
    const sh = (command: string) => stage.bash(command, () => run('bash', ['-c', command], { cwd: stage.dir }))
    expect(await sh('grep -rl export src/auth | xargs sed -i s/5/6/')).toBe('fine')
    expect(await sh('git restore --source=HEAD~1 --worktree src/auth')).toBe('fine')
    expect(await sh('git checkout HEAD -- src/auth')).toBe('fine')
    expect(await sh('sed -i s/1/2/ src/auth/link/*.ts')).toBe('scope_violation')
    expect(await sh('git restore --source=HEAD~1 --worktree src')).toBe('scope_violation')
  })
})
