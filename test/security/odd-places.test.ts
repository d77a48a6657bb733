import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { api } from '../../src/protocol/api/routes.ts'
import { oddTarget } from './odd-target.ts'

// Hooks that name hundreds of working folders which are none: what looks into every project looks into none of them.

const target = oddTarget()
const { tell, common } = target

const COUNT = process.env.GROVE_ATTACKS === 'all' ? 600 : 120

it('keep no answer about all projects waiting', async () => {
  const fifo = join(target.at.cwd, '..', 'fifo')
  execFileSync('mkfifo', [fifo])
  const places = [
    (k: number) => `/${'a'.repeat(4000)}${k}`,
    (k: number) => `${'/a'.repeat(150)}/${k}`,
    (k: number) => `/nowhere/${k}`,
    (k: number) => join(target.at.cwd, 'src', 'a.ts', `${k}`),
    (k: number) => `${target.at.cwd}/\0${k}`,
    (k: number) => `nowhere/${k}`,
    (k: number) => `${target.at.cwd}${'/../project'.repeat(80)}/${k}`,
    () => '/dev/zero',
    () => '/dev/tty',
    () => '/proc/self/fd/0',
    () => fifo,
    () => join(target.at.cwd, 'src', 'a.ts'),
  ]
  for (let k = 0; k < COUNT; k++) {
    const cwd = places[k % places.length]!(k)
    await tell('user-prompt-submit', { ...common(), cwd, hook_event_name: 'UserPromptSubmit', prompt: 'Fix the login' })
  }
  const headers = target.daemon.asTool()
  const ask = (path: string) => fetch(target.daemon.url('Web') + path, { headers })
  const { projects } = (await (await ask('/api/projects')).json()) as { projects: { root: string }[] }
  expect(projects).toEqual([])
  const routes = Object.values(api).flatMap((noun) => Object.values(noun))
  for (const { path } of routes.filter(({ method }) => method === 'GET'))
    expect((await ask(path.replace(/:\w+/g, 'x'))).status, path).toBeLessThan(500)
}, 600_000)
