import type { z } from 'zod'
import type { Outcome, PullRequest, PullRequests } from '#core/ports/repository.ts'
import { normaliseRemote } from '#core/project.ts'
import { type GithubPullRequest, githubChecks, githubPullRequest, githubRepository } from '#protocol/github.ts'
import { safeGit } from '../git/safe-git.ts'
import type { Environment } from '../process/environment.ts'
import { pushRemote, remotesOf } from '../repository/remotes.ts'
import { ciChecks } from './ci-checks.ts'
import { readableLog } from './failed-log.ts'
import { ghProgram, refused } from './gh.ts'

const FIELDS = 'number,url,title,body,state,isDraft,baseRefName,headRefName,headRefOid,mergeable,headRepositoryOwner'
const OLDEST_MAJOR = 2

/**
 * Pull requests through the `gh` of this machine. Nothing is retried here; the caller knows whether that makes sense.
 */
export function pullRequests(env: Environment): PullRequests {
  const gh = ghProgram(env)
  const git = safeGit(env)

  /** The owner of the repository that branches are pushed to; with forks another one than the base's. */
  async function pushOwner(folder: string): Promise<string | undefined> {
    const remotes = await remotesOf(git, folder)
    const name = await pushRemote(git, folder, remotes)
    const remote = name && normaliseRemote(remotes.get(name) ?? '')
    return remote?.split('/').at(-2)
  }

  async function view(folder: string, number: number): Promise<Outcome<PullRequest>> {
    const shown = await gh(folder, ['pr', 'view', String(number), '--json', FIELDS])
    return shown.ok ? read(githubPullRequest, shown.value, toPullRequest) : shown
  }

  return {
    async ready(folder) {
      const asked = await gh(folder, ['--version'])
      if (!asked.ok) return asked
      const [, version = '', major = ''] = /gh version ((\d+)\.\S+)/.exec(asked.value) ?? []
      if (Number(major) < OLDEST_MAJOR)
        return refused('not_installed', `gh ${version || 'of an unknown version'} is too old: 2.0 or newer is needed.`)
      // Asks for everything else at once: a remote that gh knows, a login there, and that it may see the repository.
      const seen = await gh(folder, ['repo', 'view', '--json', 'nameWithOwner'])
      return seen.ok ? { ok: true, value: { version } } : seen
    },

    async find(folder, branch) {
      const listed = await gh(folder, [
        'pr',
        'list',
        `--head=${branch}`,
        '--state=all',
        '--limit=30',
        `--json=${FIELDS}`,
      ])
      if (!listed.ok) return listed
      const owner = await pushOwner(folder)
      return read(githubPullRequest.array(), listed.value, (all) => {
        const isOurs = ({ headRepositoryOwner: head }: GithubPullRequest) =>
          !owner || !head || head.login.toLowerCase() === owner.toLowerCase()
        const ours = all.filter(isOurs).sort((a, b) => b.number - a.number)
        const found = ours.find(({ state }) => state === 'OPEN') ?? ours[0]
        return found && toPullRequest(found)
      })
    },

    async create(folder, { base, head, title, body, draft }) {
      const [owner, seen] = await Promise.all([
        pushOwner(folder),
        gh(folder, ['repo', 'view', '--json', 'nameWithOwner']),
      ])
      if (!seen.ok) return seen
      const repository = read(githubRepository, seen.value, ({ nameWithOwner }) => nameWithOwner.split('/')[0]!)
      const isFork = repository.ok && owner !== undefined && owner.toLowerCase() !== repository.value.toLowerCase()
      const from = isFork ? `${owner}:${head}` : head
      const args = ['pr', 'create', `--base=${base}`, `--head=${from}`, `--title=${title}`, '--body-file=-']
      const made = await gh(folder, draft ? [...args, '--draft'] : args, body)
      if (!made.ok) return made
      const number = /\/pull\/(\d+)\s*$/.exec(made.value.trim())?.[1]
      return number ? view(folder, Number(number)) : refused('failed', 'gh did not name the pull request.', made.value)
    },

    /**
     * Edits through the REST API: `gh pr edit` of many versions queries project boards that GitHub has removed, and
     * fails.
     */
    async edit(folder, number, { title, body }) {
      const path = `repos/{owner}/{repo}/pulls/${number}`
      const edited = await gh(
        folder,
        ['api', '--method=PATCH', path, '--input=-', '--silent'],
        JSON.stringify({ title, body }),
      )
      return edited.ok ? view(folder, number) : edited
    },

    view,

    /** What `gh pr checks` shows, from a field that all versions have and that tells states apart. */
    async checks(folder, number) {
      const shown = await gh(folder, ['pr', 'view', String(number), '--json', 'number,statusCheckRollup'])
      return shown.ok ? read(githubChecks, shown.value, (all) => ciChecks(all.statusCheckRollup ?? [])) : shown
    },

    async failedLog(folder, { name, runId, url }) {
      if (!runId) return refused('not_found', `The log of ${name} is not on GitHub.`, url)
      const job = /\/job\/(\d+)/.exec(url ?? '')?.[1]
      const log = await gh(folder, ['run', 'view', ...(job ? [`--job=${job}`] : [runId]), '--log-failed'])
      return log.ok ? { ok: true, value: readableLog(log.value) } : log
    },
  }
}

function read<T, R>(schema: z.ZodType<T>, text: string, use: (value: T) => R): Outcome<R> {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    if (parsed.success) return { ok: true, value: use(parsed.data) }
  } catch {
    // Not JSON: reported below, with the text itself.
  }
  return refused('failed', 'gh answered in a format that Grove does not know.', text)
}

function toPullRequest(pr: GithubPullRequest): PullRequest {
  return {
    number: pr.number,
    url: pr.url,
    title: pr.title,
    body: pr.body,
    state: ({ OPEN: 'open', MERGED: 'merged', CLOSED: 'closed' } as const)[pr.state],
    draft: pr.isDraft,
    base: pr.baseRefName,
    head: pr.headRefName,
    ...(pr.headRefOid && { headCommit: pr.headRefOid }),
    mergeable: ({ MERGEABLE: 'yes', CONFLICTING: 'conflicting', UNKNOWN: 'unknown' } as const)[pr.mergeable],
  }
}
