import { devNull } from 'node:os'
import { type Environment, foreignEnvironment } from '../process/environment.ts'
import { runGroup } from '../process/group.ts'
import { readSettings, usersVariables, withoutPrograms, withoutStarting } from './repository-programs.ts'

/**
 * Git that starts no program of the repository: no hooks, no monitor, no filters or merge drivers that the repository
 * names, no signing, no pager, no editor, no prompts. Its messages are returned, since people need them.
 */
export interface SafeGit {
  (cwd: string, args: readonly string[], options?: SafeGitOptions): Promise<GitRun>
  /** For several commands in a row at one place: what the repository's settings say is read once, not before each. */
  steady(cwd: string): Promise<SafeGit>
}

export interface SafeGitOptions {
  input?: string
  /** More variables for git itself, such as another index. */
  env?: Environment
  limitMs?: number
  signal?: AbortSignal
  /** Beyond this git is stopped and `cut` set. */
  maxOutput?: number
}

export interface GitRun {
  /** Null when git is not there, did not start or was stopped. */
  code: number | null
  stdout: string
  stderr: string
  timedOut: boolean
  cut: boolean
  missing: boolean
}

const LIMIT = { ms: 120_000, output: 256 * 1024 * 1024 }

export function safeGit(environment: Environment): SafeGit {
  const base = gitEnvironment(environment)
  return gitWith(base, (cwd) => environmentAt(cwd, base))
}

function gitWith(base: Environment, settingsAt: (cwd: string) => Promise<Environment>): SafeGit {
  const run = async (cwd: string, args: readonly string[], options: SafeGitOptions = {}) => {
    const env = PLAIN.has(args[0] ?? '') ? base : await settingsAt(cwd)
    return start(cwd, args, { ...env, ...options.env }, options)
  }
  const steady = async (cwd: string) => {
    const env = await settingsAt(cwd)
    return gitWith(base, async () => env)
  }
  return Object.assign(run, { steady })
}

/** The environment in which git, and programs that start git, start no program of the repository at `cwd`. */
export async function safeGitEnvironment(environment: Environment, cwd: string): Promise<Environment> {
  return environmentAt(cwd, gitEnvironment(environment))
}

async function environmentAt(cwd: string, base: Environment): Promise<Environment> {
  const { code, stdout, timedOut, cut } = await start(cwd, LIST_SETTINGS, base, {})
  // Git then fails: what it would start is not known.
  if (timedOut || cut) return { ...base, GIT_DIR: devNull }
  return code === 0 ? { ...base, ...settingsEnv([...STILL, ...withoutPrograms(readSettings(stdout))]) } : base
}

/** Commands that read no file of the work tree, not even to refresh the index, and open no connection. */
const PLAIN = new Set(
  'rev-parse for-each-ref update-ref symbolic-ref check-ref-format config remote cat-file ls-tree commit-tree merge-base rev-list show-ref version'.split(
    ' ',
  ),
)
const LIST_SETTINGS = ['config', '--list', '--show-scope', '-z']

/** Holds for every command; the rest depends on what the repository says. */
const STILL: [key: string, value: string][] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.quotePath', 'false'],
  ['core.safecrlf', 'false'],
  ['commit.gpgSign', 'false'],
  ['commit.verbose', 'false'],
  ['tag.gpgSign', 'false'],
  ['push.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['merge.verifySignatures', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'no'],
  ['fetch.prune', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['push.followTags', 'false'],
  ['branch.autoSetupMerge', 'false'],
  ['rerere.enabled', 'false'],
  ['rebase.updateRefs', 'false'],
  ['rebase.rebaseMerges', 'false'],
  ['diff.noprefix', 'false'],
  ['diff.orderFile', '/dev/null'],
  ['diff.mnemonicPrefix', 'false'],
  ['diff.relative', 'false'],
]

function settingsEnv(settings: readonly [string, string][]): Environment {
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(settings.length) }
}

function gitEnvironment(environment: Environment): Environment {
  return {
    ...usersVariables(foreignEnvironment(environment)),
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
    GIT_MERGE_AUTOEDIT: 'no',
    ...settingsEnv(STILL),
  }
}

async function start(
  cwd: string,
  args: readonly string[],
  env: Environment,
  { input, limitMs = LIMIT.ms, signal, maxOutput = LIMIT.output }: SafeGitOptions,
): Promise<GitRun> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  let size = 0
  const onOutput = (chunk: Buffer, from: 'stdout' | 'stderr') => {
    if (size <= maxOutput) (from === 'stdout' ? out : err).push(chunk)
    size += chunk.length
    return size <= maxOutput
  }
  const options = { cwd, env, limitMs, onOutput, ...(input !== undefined && { input }), ...(signal && { signal }) }
  try {
    const { how, code } = await runGroup('git', ['--no-pager', ...withoutStarting(args)], options)
    const text = (chunks: Buffer[]) => Buffer.concat(chunks).subarray(0, maxOutput).toString('utf8')
    const end = { stdout: text(out), stderr: text(err), timedOut: how === 'timed-out', cut: how === 'enough' }
    return { ...end, code: how === 'exited' ? code : null, missing: false }
  } catch (error) {
    // No git on this machine, or the folder is gone: the caller has looked at the folder, or is told the words.
    return { code: null, stdout: '', stderr: (error as Error).message, timedOut: false, cut: false, missing: true }
  }
}
