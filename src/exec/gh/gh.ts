import type { Outcome, RepositoryTrouble } from '#core/ports/repository.ts'
import { redact } from '#core/redact/redact.ts'
import { safeGitEnvironment } from '../git/safe-git.ts'
import type { Environment } from '../process/environment.ts'
import { runGroup } from '../process/group.ts'
import { HeadAndTail } from '../process/head-and-tail.ts'

/**
 * Runs `gh` with the machine's own login. Texts go through its input: a command line is limited, and every user can
 * read it.
 */
export type Gh = (folder: string, args: readonly string[], input?: string) => Promise<Outcome<string>>

const LIMIT_MS = 60_000
const KEPT = { head: 4 * 1024 * 1024, tail: 1024 * 1024 }

/** Environment of `gh`: no prompts, and nothing but its arguments decides what it does. */
const QUIET = {
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GH_NO_EXTENSION_UPDATE_NOTIFIER: '1',
  GH_SPINNER_DISABLED: '1',
  GH_PAGER: 'cat',
  GH_REPO: undefined,
  GH_DEBUG: undefined,
  GH_FORCE_TTY: undefined,
  CLICOLOR_FORCE: undefined,
  NO_COLOR: '1',
}

export function ghProgram(environment: Environment): Gh {
  return async (folder, args, input) => {
    const out = new HeadAndTail(KEPT)
    const err = new HeadAndTail({ head: 8192, tail: 8192 })
    const onOutput = (chunk: Buffer, from: 'stdout' | 'stderr') => {
      ;(from === 'stdout' ? out : err).add(chunk)
      return true
    }
    // `gh` starts git too, so git's safe environment is included.
    const env = { ...(await safeGitEnvironment(environment, folder)), ...QUIET }
    const options = { cwd: folder, env, limitMs: LIMIT_MS, onOutput, ...(input !== undefined && { input }) }
    try {
      const { how, code } = await runGroup('gh', [...args], options)
      if (how === 'timed-out') return refused('timed_out', `gh ${args[0]} took too long.`, err.text())
      return code === 0 ? { ok: true, value: out.text() } : failed(args, code, err.text() || out.text())
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      const message = 'The GitHub CLI (gh) is not installed. Install gh 2.0 or newer, or review locally.'
      return refused(isMissing ? 'not_installed' : 'failed', isMissing ? message : (error as Error).message)
    }
  }
}

/** What `gh` ends with when it needs a login. */
const NO_LOGIN = 4

const KNOWN: [RepositoryTrouble, RegExp, string?][] = [
  ['no_remote', /no git remotes found|none of the git remotes/i, 'gh knows none of the remotes of this repository.'],
  ['not_a_repository', /not a git repository/i],
  ['not_logged_in', /gh auth login|HTTP 401|Bad credentials/i, 'gh is not logged in. Run `gh auth login`.'],
  ['not_found', /Could not resolve to|HTTP 404|no pull requests found|could not find/i],
  ['rejected', /HTTP 4(?:03|22)|already exists|No commits between|Head sha can't be blank/i],
]

function failed(args: readonly string[], code: number | null, words: string): Outcome<never> {
  const [known, , said] = KNOWN.find(([, pattern]) => pattern.test(words)) ?? []
  const line = words.split('\n').find((each) => each.trim() !== '') ?? `it ended with ${code}`
  const trouble = known ?? (code === NO_LOGIN ? 'not_logged_in' : 'failed')
  return refused(trouble, said ?? `gh ${args.slice(0, 2).join(' ')}: ${line.trim()}`, words)
}

export function refused(code: RepositoryTrouble, message: string, detail = ''): Extract<Outcome<never>, { ok: false }> {
  const words = redact(detail.trim()).slice(0, 4000)
  return { ok: false, code, message: redact(message).slice(0, 500), ...(words && { detail: words }) }
}
