import { stripVTControlCharacters } from 'node:util'
import type { CommandRun, ProjectCommands } from '#core/ports/repository.ts'
import { redact } from '#core/redact/redact.ts'
import { type Environment, foreignEnvironment } from '../process/environment.ts'
import { runGroup } from '../process/group.ts'
import { HeadAndTail } from '../process/head-and-tail.ts'
import { detectCommands } from './detect.ts'

const KEPT = { head: 32 * 1024, tail: 96 * 1024 }

/** Environment that tells runners they are not interactive: no prompts, no watch mode, no colours. */
const NON_INTERACTIVE = { CI: 'true', NO_COLOR: '1', FORCE_COLOR: '0', TERM: 'dumb' }

interface Needs {
  env: Environment
  now(): number
}

export function projectCommands({ env, now }: Needs): ProjectCommands {
  const around = { ...foreignEnvironment(env), ...NON_INTERACTIVE }
  return {
    detect: async (folder) => detectCommands(folder, env),
    run: async (folder, command, { limitMs, signal }) => {
      const output = new HeadAndTail(KEPT)
      const begun = now()
      const onOutput = (chunk: Buffer) => {
        output.add(chunk)
        return true
      }
      const finish = (result: CommandRun['result'], exitCode: number | null, words = output.text()): CommandRun => ({
        command,
        result,
        exitCode,
        output: redact(stripVTControlCharacters(words)),
        durationMs: now() - begun,
      })
      const [program = '', ...args] = command
      const options = { cwd: folder, env: around, limitMs, sweep: true, onOutput, ...(signal && { signal }) }
      try {
        const { how, code } = await runGroup(program, args, options)
        if (how === 'timed-out' || how === 'cancelled') return finish(how, null)
        return finish(code === 0 ? 'passed' : 'failed', code)
      } catch (error) {
        return finish('could-not-start', null, (error as Error).message)
      }
    },
  }
}
