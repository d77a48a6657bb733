import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '#exec/spawn.ts'
import { guarded, intentsYaml } from '../../../test/support/guarded.ts'
import { createProject } from '../../../test/support/project.ts'

const files = {
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/auth/**'] }),
  'src/auth/token.ts': 'export const ttl = 5\n',
  'README.md': '# Readme\n',
}

/** A guarded project, and sessions that were started elsewhere: in a plain folder, and in another guarded project. */
async function apart(whenFinished: Parameters<typeof guarded>[0]) {
  const stage = await guarded(whenFinished, files)
  const plain = await createProject({ 'notes.txt': 'x\n' })
  const second = await createProject({
    '.orchestration/active_intents.yaml': intentsYaml({ docs: ['docs/**'] }),
    'docs/a.md': 'a\n',
  })
  whenFinished(plain.remove)
  whenFinished(second.remove)
  const sh = (command: string, cwd: string, session: string) =>
    stage.bash(command, () => run('bash', ['-c', command], { cwd }), { cwd, session })
  return { ...stage, plain: plain.dir, second: second.dir, sh }
}

describe('a session that was started elsewhere', () => {
  it('meets the rules of the project it writes into', async ({ onTestFinished }) => {
    const { dir, plain, sh, mayWrite } = await apart(onTestFinished)
    const who = { cwd: plain, session: 'far' }
    expect(await mayWrite(join(dir, 'README.md'), who)).toBe('intent_required')
    expect(await mayWrite(join(plain, 'notes.txt'), who)).toBe('allowed')
    await symlink(join(dir, 'src'), join(plain, 'linked'))
    expect(await mayWrite(join(plain, 'linked/auth/token.ts'), who)).toBe('intent_required')
    for (const command of [
      `echo x > ${dir}/README.md`,
      `cd ${dir} && echo x > README.md`,
      `cd ${dir}/src && sed -i s/5/6/ auth/token.ts`,
      `cp notes.txt ${dir}/src/auth/`,
      `git -C ${dir} rm -q README.md`,
      `cd ${dir} && python3 -c "exec(input())"`,
    ]) {
      expect(await sh(command, plain, 'far'), command).toBe('intent_required')
    }
    expect(await sh('echo y > notes.txt', plain, 'far')).toBe('fine')
    expect(await sh(`cat ${dir}/README.md`, plain, 'far')).toBe('fine')
  })

  it('works there with an intent of that project, and is traced in its ledger', async ({ onTestFinished }) => {
    const { dir, plain, sh, select, write, trace, mayWrite } = await apart(onTestFinished)
    await select('auth', { session: 'far' })
    const who = { cwd: plain, session: 'far' }
    expect(await write(join(dir, 'src/auth/new.ts'), 'export const fresh = 1\n', who)).toBe('written')
    expect(await mayWrite(join(dir, 'README.md'), who)).toBe('scope_violation')
    expect(await sh(`cd ${dir} && sed -i s/5/6/ src/auth/token.ts`, plain, 'far')).toBe('fine')
    expect((await trace()).map(({ files: [file] }) => file!.path)).toEqual(['src/auth/new.ts', 'src/auth/token.ts'])
  })

  it('is told of what its command changed there', async ({ onTestFinished }) => {
    const { dir, plain, bash, put, second, select, mayWrite, gate } = await apart(onTestFinished)
    const who = { cwd: plain, session: 'far' }
    expect(await bash(`cd ${dir} && npm test`, () => put('README.md', 'x\n'), who)).toContain('README.md')
    await select('docs', { session: 'other' })
    const other = { cwd: second, session: 'other' }
    expect(await mayWrite(join(second, 'docs/a.md'), other)).toBe('allowed')
    expect(await mayWrite(join(dir, 'src/auth/token.ts'), other)).toBe('intent_not_found')
    expect(await gate('Write', { file_path: join(dir, 'src/auth/token.ts'), content: 'x' }, other)).toMatchObject({
      message: expect.stringContaining(dir),
      suggestion: expect.stringMatching(/grove intent select <id> --session other` there \(open: auth\)/),
    })
    await mkdir(join(plain, 'sub'))
    await writeFile(join(plain, 'sub/x'), '')
    expect(await mayWrite(join(plain, 'sub/x'), other)).toBe('scope_violation')
  })
})
