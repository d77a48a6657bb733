import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dist, grove, place, startGrove, withBinary } from '../cli/grove.ts'
import { runClaude } from '../support/claude.ts'
import { createProject } from '../support/project.ts'
import { agent, simulatorOf, story } from '../support/story.ts'

// The same from within the real Claude Code.

withBinary()

it('Claude Code can neither detach Grove nor answer a request, whatever its shell leaves out or sends', async ({
  onTestFinished,
}) => {
  const project = await createProject({ 'a.txt': 'a\n' })
  onTestFinished(project.remove)
  const at = { ...place(), cwd: project.dir }
  expect((await grove(at, 'init')).code).toBe(0)
  const daemon = await startGrove(at, 'up')
  onTestFinished(() => daemon.kill('SIGKILL'))
  const settings = join(at.env.HOME!, '.claude', 'settings.json')
  const before = readFileSync(settings, 'utf8')

  const call = (...words: string[]) => [process.execPath, join(dist, 'grove.js'), ...words].join(' ')
  const bare = `env -i HOME=${at.env.HOME} GROVE_HOME=${at.home} PATH=${at.env.PATH}`
  const shed = join(at.home, 'shed')
  const commands = [
    call('unregister'),
    `${bare} ${call('unregister')}`,
    `${bare} ${call('intent', 'approve', 'apr-1')}`,
    `curl -s -X POST -H "authorization: Bearer $(cat ${at.home}/token)" -H "content-type: application/json" -d '{"answer":"approve"}' ${daemon.url('Web')}/api/approvals/apr-1`,
    `${bare} setsid -f sh -c '${call('pause', '--all')} >${shed} 2>&1'; for i in 1 2 3 4 5 6 7 8 9 10; do [ -s ${shed} ] && break; sleep 1; done; cat ${shed}`,
  ]
  const simulator = await simulatorOf(
    onTestFinished,
    story(...commands.map((command) => agent.bash(command)), { text: 'Done.' }),
    project.dir,
  )
  const { lines, home } = await runClaude({
    baseUrl: simulator.url,
    prompt: 'Go',
    cwd: project.dir,
    timeoutMs: 120_000,
    env: { GROVE_HOME: at.home },
  })
  expect(existsSync(home)).toBe(true)
  const said = lines.flatMap((line) => {
    const content = (line as { message?: { content?: unknown } }).message?.content
    const results = Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result') : []
    return results.map((result) => JSON.stringify(result.content))
  })
  expect(said).toHaveLength(commands.length)
  for (const [n, answer] of said.entries()) {
    expect(answer, commands[n]).toMatch(/An agent cannot|only_people|cannot tell whether a person/)
  }
  expect(readFileSync(settings, 'utf8')).toBe(before)
})
