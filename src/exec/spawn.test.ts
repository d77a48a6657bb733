import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunOptions } from '#core/ports/programs.ts'
import { run, waitForPrograms } from './spawn.ts'

const node = (code: string, options: RunOptions = {}) => run(process.execPath, ['-e', code], options)

const ways: { way: string; begin: () => void }[] = [
  { way: 'listened to', begin: () => {} },
  // Stays so for the rest of the process, so it comes last.
  { way: 'waited for', begin: waitForPrograms },
]

describe.each(ways)('a program that is $way', ({ begin }) => {
  it('tells how it ended and what it said', async () => {
    begin()
    const code =
      'process.stdin.on("data", (d) => process.stdout.write("heard " + d)); console.error("ü"); process.exitCode = 3'
    expect(await node(code, { input: 'a word' })).toEqual({
      code: 3,
      signal: null,
      stdout: 'heard a word',
      stderr: 'ü\n',
    })
  })

  it('has no input where it is given none', async () => {
    begin()
    const ran = await node('console.log(require("fs").readFileSync(0).length)')
    expect(ran).toEqual({ code: 0, signal: null, stdout: '0\n', stderr: '' })
  })

  it('is ended when it takes too long or says too much', async () => {
    begin()
    const ended = { code: null, signal: 'SIGKILL' }
    expect(await node('setInterval(() => {}, 1000)', { timeoutMs: 200 })).toMatchObject(ended)
    expect(await node('setInterval(() => console.log("x".repeat(9999)))', { maxOutput: 20_000 })).toMatchObject(ended)
  })

  it('is not waited for when it was ended and has left a child that holds its output', async () => {
    begin()
    const noted = join(await mkdtemp(join(tmpdir(), 'grove-spawn-')), 'pid')
    const code = `
      require('child_process').spawn('sh', ['-c', 'echo $$ >"$0"; exec sleep 600', ${JSON.stringify(noted)}], { stdio: 'inherit' })
      while (!require('fs').existsSync(${JSON.stringify(noted)}));
      setInterval(() => console.log('x'.repeat(9999)))`
    expect(await node(code, { maxOutput: 20_000 })).toMatchObject({ code: null, signal: 'SIGKILL' })
    const left = Number(await readFile(noted, 'utf8'))
    expect(left).toBeGreaterThan(1)
    process.kill(left, 'SIGKILL')
    await rm(dirname(noted), { recursive: true })
  })

  it('fails loudly only when it cannot be started', async () => {
    begin()
    await expect(run('there-is-no-such-program', [])).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
