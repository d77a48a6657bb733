import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { workingFolder } from '#config/paths.ts'
import { andMore, describeProblem, isWholeFile, type Problem } from '#config/problem.ts'
import { Trouble } from '#config/trouble.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import { tryToWrite } from '../process/home.ts'

interface Needs {
  env: Env
  settingProblemsAt: (cwd: string) => readonly Problem[]
  /** Why Grove's parts could not be opened. */
  trouble?: unknown
}

/** Says in one line at the start of a session what of Grove does not work, and how to fix it. */
export function healthPart({ home }: Config, { env, settingProblemsAt, trouble }: Needs): HookPart {
  return {
    name: 'health',
    async handle(event) {
      if (event.hook_event_name !== 'SessionStart') return undefined
      const problem =
        storeProblem(home, trouble) ??
        daemonProblem(env) ??
        settingProblem(settingProblemsAt(event.cwd || workingFolder(env)))
      return problem === undefined ? undefined : { notice: problem }
    },
  }
}

function storeProblem(home: string, trouble: unknown): string | undefined {
  try {
    tryToWrite(home)
  } catch (error) {
    if (error instanceof Trouble) return `${error.message} Claude Code goes on without Grove. ${error.wayOut}`
  }
  if (trouble === undefined) return undefined
  const reason = (trouble instanceof Error ? trouble.message.split('\n')[0] : undefined) ?? String(trouble)
  // More than one sentence: the fix is among them.
  const fix = /\. [A-Z]/.test(reason) ? '' : ' (`grove doctor` names the fix.)'
  return `Grove has trouble, and Claude Code goes on without it: ${reason}${fix}`
}

/** The hook client has found it so. */
function daemonProblem({ GROVE_DAEMON }: Env): string | undefined {
  if (GROVE_DAEMON !== 'silent') return undefined
  return 'Grove does not answer, so its hooks work without it, which is slower. Restart it: grove restart'
}

function settingProblem([first, ...more]: readonly Problem[]): string | undefined {
  if (!first) return undefined
  const unused = isWholeFile(first) ? 'the settings of a file, but their defaults' : 'a setting, but its default'
  return `Grove does not use ${unused}: ${describeProblem(first)}${andMore(more)}`
}
