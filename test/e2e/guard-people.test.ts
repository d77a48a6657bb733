import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { grove, withBinary } from '../cli/grove.ts'
import { ALLOWED, contains, done, guardStage, resultsOf, select, use, write } from '../support/guard-stage.ts'
import { send } from '../support/http-client.ts'
import { refusalIn } from '../support/refusals.ts'
import { story } from '../support/story.ts'

withBinary()

describe('people and Claude Code', () => {
  it('answer from the terminal while it waits, and more scope is in the file at once', async ({ onTestFinished }) => {
    const stage = await guardStage(
      onTestFinished,
      story(
        select,
        write('docs/api.md', '# API\n'),
        use('mcp__grove__request_scope', { paths: ['docs/**'], reason: 'The API is documented there' }),
        write('docs/api.md', '# API\n'),
        done,
      ),
    )
    const running = await stage.start('Document it')
    const [request] = await stage.inbox()
    expect(request).toMatchObject({ kind: 'scope', scope: ['docs/**'], reason: 'The API is documented there' })
    const said = await grove(stage.at, 'intent', 'approve', request!.id)
    expect(said).toMatchObject({ code: 0, stderr: '' })
    const results = resultsOf(await running.done)
    expect(refusalIn(results[1])).toMatchObject({ code: 'scope_violation' })
    expect(results[2]).toContain('now also owns docs/**')
    expect(results[3]).toContain('created successfully')
    expect(await stage.text('.orchestration/active_intents.yaml')).toContain('"docs/**"')
  })

  it.for(['with', 'without'])(
    'are waited for in vain when the hook is killed: a no, %s the daemon',
    async (mode, { onTestFinished }) => {
      const stage = await guardStage(onTestFinished, story(select, write('src/auth/a.ts', 'export {}\n'), done), {
        '.orchestration/.intentignore': 'INT-001\n',
      })
      if (mode === 'with') await stage.daemon()
      const running = await stage.start('Go')
      await stage.inbox()
      // The script that the client started, and the shell in it that asks: the younger one is killed.
      const hooks = readdirSync('/proc').filter(
        (pid) =>
          /^\d+$/.test(pid) &&
          commandLine(pid).includes(join(stage.at.home, 'bin', 'grove-hook')) &&
          commandLine(pid).includes('pre-tool-use'),
      )
      // Numbers of processes begin anew now and then, so the younger one is told by its parent.
      process.kill(Number(hooks.find((pid) => hooks.includes(parentOf(pid) ?? '')) ?? hooks[0]), 'SIGKILL')
      const results = resultsOf(await running.done)
      expect(refusalIn(results[1])).toMatchObject({ code: 'user_rejected' })
      expect(existsSync(join(stage.project.dir, 'src/auth/a.ts'))).toBe(false)
    },
  )

  it('answer from the browser, and the agent that waits goes on', async ({ onTestFinished }) => {
    const stage = await guardStage(onTestFinished, story(select, write('src/auth/a.ts', 'export {}\n'), done), {
      '.orchestration/.intentignore': 'INT-001\n',
    })
    const daemon = await stage.daemon()
    const running = await stage.start('Go')
    const [request] = await stage.inbox()
    const token = await readFile(join(stage.at.home, 'token'), 'utf8')
    const url = `${daemon.url('Web')}/api/approvals/${request!.id}`
    const answer = await send(url, {
      headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
      body: '{"answer":"approve"}',
    })
    expect(answer.status).toBe(200)
    const results = resultsOf(await running.done)
    expect(results[1]).toContain('created successfully')
  })
})

describe('a prompt of the client', () => {
  const settings = '[guard]\nask_in = "terminal"\napproval_wait_seconds = 40\n'
  const asking = ['--input-format=stream-json', '--permission-prompt-tool=stdio']
  const prompt = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'Go' } })}\n`

  it.for([
    ['approve', 'with'],
    ['approve', 'without'],
    ['--reject', 'with'],
  ] as const)('is closed by an answer from elsewhere (%s, %s a daemon)', async ([how, mode], { onTestFinished }) => {
    const stage = await guardStage(onTestFinished, story(select, write('src/auth/a.ts', 'export {}\n'), done), {
      '.orchestration/.intentignore': 'INT-001\n',
    })
    await writeFile(join(stage.at.home, 'config.toml'), settings)
    if (mode === 'with') await stage.daemon()
    // Its input stays open: the host could answer, and does not.
    const running = await stage.start('', { args: [...ALLOWED, ...asking], input: prompt, keepInput: true })
    await stage.prompted(running)
    const [request] = await stage.inbox()
    const flags = how === '--reject' ? ['--reject', '--note', 'Not today.'] : []
    await grove(stage.at, 'intent', 'approve', request!.id, ...flags)
    await stage.simulator.until(() => stage.simulator.requests.filter(({ method }) => method === 'POST').length >= 3)
    running.child.stdin!.end()
    const outcome = await running.done
    expect(outcome.lines.map(({ type }) => type)).toContain('control_cancel_request')
    const results = resultsOf(outcome)
    if (how === 'approve') expect(results[1]).toContain('created successfully')
    else expect(refusalIn(results[1])).toMatchObject({ code: 'user_rejected', message: contains('Not today.') })
  })
})

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

function parentOf(pid: string): string | undefined {
  try {
    return /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
