import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'undici'
import { expect, it } from 'vitest'
import type { GuardEvent } from '../../src/protocol/live.ts'
import { grove, place, startGrove, withBinary } from '../cli/grove.ts'
import { send } from '../support/http-client.ts'
import { createProject } from '../support/project.ts'

withBinary()

const files = {
  '.orchestration/active_intents.yaml':
    'active_intents:\n  - id: INT-001\n    name: Work\n    status: in_progress\n    owned_scope: [src/**]\n',
  '.orchestration/.intentignore': 'INT-001\n',
  'src/a.ts': 'export const a = 1\n',
  'b.txt': 'b\n',
}

it('whoever watches the socket sees denials, requests, answers and violations, whichever process they happen in', async ({
  onTestFinished,
}) => {
  const project = await createProject(files)
  onTestFinished(project.remove)
  const at = { ...place(), cwd: project.dir }
  const daemon = await startGrove(at, 'up')
  onTestFinished(() => daemon.kill('SIGKILL'))
  const url = daemon.url('Web')
  const token = (await readFile(join(at.home, 'token'), 'utf8')).trim()
  const authorization = `Bearer ${token}`
  const hook = (event: string, payload: object) =>
    send(`${url}/hooks/${event}`, {
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: 's1', cwd: project.dir, ...payload }),
    })
  const { hear } = await watch(`${url.replace('http', 'ws')}/ws?after=0`, authorization, onTestFinished)
  const write = { tool_name: 'Write', tool_input: { file_path: join(project.dir, 'src/a.ts'), content: 'x' } }

  await hook('pre-tool-use', { ...write, tool_use_id: 't1' })
  expect(await hear('guard:denied')).toMatchObject({ sessionId: 's1', code: 'intent_required' })

  // Selected and answered in processes of their own.
  await grove(at, 'intent', 'select', 'INT-001', '--session', 's1')
  await hook('post-tool-use', { tool_name: 'mcp__grove__select_active_intent', tool_input: {}, tool_use_id: 't2' })
  expect(await hear('intent:selected')).toMatchObject({ intentId: 'INT-001' })

  const held = hook('pre-tool-use', { ...write, tool_use_id: 't3' })
  const asked = await hear('approval:asked')
  expect(asked).toMatchObject({ what: 'Write src/a.ts' })
  // Nobody answers blind: the list of one shows what is to be written, and so does the answer.
  expect((await grove(at, 'intent', 'approve')).stdout).toContain('-export const a = 1\n+x')
  expect((await grove(at, 'intent', 'approve', asked.approvalId)).stdout).toContain('-export const a = 1\n+x')
  expect(await hear('approval:answered')).toMatchObject({ approvalId: asked.approvalId, approved: true })
  expect(await grove(at, 'intent', 'approve', asked.approvalId, '--reject')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was already'),
  })
  expect((await held).body.toString()).toBe('{}')

  const more = { paths: ['docs/**'], reason: 'The API is documented there' }
  await hook('pre-tool-use', { tool_name: 'mcp__grove__request_scope', tool_input: more, tool_use_id: 't4' })
  const wider = await hear('approval:asked')
  expect(wider).toMatchObject({ what: 'add docs/** to the scope of INT-001' })
  await grove(at, 'intent', 'approve', wider.approvalId, '--reject')
  expect(await hear('approval:answered')).toMatchObject({ approvalId: wider.approvalId, approved: false })

  await writeFile(join(project.dir, '.orchestration/.intentignore'), '')
  const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 't5' }
  await hook('pre-tool-use', bash)
  await writeFile(join(project.dir, 'b.txt'), 'changed\n')
  await hook('post-tool-use', { ...bash, tool_response: {} })
  expect(await hear('guard:violation')).toMatchObject({ paths: ['b.txt'] })
})

type Of<Type> = Extract<GuardEvent, { type: Type }>

/** Follows the live socket; `hear` takes the next event of a kind out of what came, or waits for it. */
async function watch(url: string, authorization: string, whenFinished: (work: () => void) => void) {
  const socket = new WebSocket(url, { headers: { authorization } })
  whenFinished(() => socket.close())
  const heard: GuardEvent[] = []
  const arrivals = new EventTarget()
  socket.addEventListener('message', ({ data }) => {
    heard.push((JSON.parse(String(data)) as { event: GuardEvent }).event)
    arrivals.dispatchEvent(new Event('arrival'))
  })
  await once(socket, 'open')
  return {
    async hear<Type extends GuardEvent['type']>(type: Type): Promise<Of<Type>> {
      for (;;) {
        const at = heard.findIndex((event) => event.type === type)
        if (at >= 0) return heard.splice(at, 1)[0] as Of<Type>
        await once(arrivals, 'arrival')
      }
    },
  }
}
