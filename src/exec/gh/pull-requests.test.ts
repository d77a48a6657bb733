import { chmodSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PullRequests } from '#core/ports/repository.ts'
import { GH_PROGRAMS, type Github, startGithub } from '../../../test/support/gh-github.ts'
import { value } from '../../../test/support/outcome.ts'
import { createProject, type Project, tempDir } from '../../../test/support/project.ts'
import { pullRequests } from './pull-requests.ts'

let project: Project
let github: Github
let prs: PullRequests

const feature = { base: 'main', head: 'feature/login', title: '--title "quoted" $(x)', body: 'Why\n\n- [ ] Looked at' }

describe.each(GH_PROGRAMS)('pull requests through gh (%s)', (program) => {
  beforeEach(async () => {
    project = await createProject({ a: 'a' })
    await project.git('remote', 'add', 'origin', 'http://github.localhost/team/app.git')
    github = await startGithub(program)
    prs = pullRequests(github.env)
  })
  afterEach(async () => {
    await github.close()
    await project.remove()
  })

  it('are ready where gh is logged in and knows the remote', async () => {
    expect(value(await prs.ready(project.dir)).version).toMatch(/^2\./)
    github.loggedIn = false
    expect(await prs.ready(project.dir)).toMatchObject({ ok: false, code: 'not_logged_in' })
  })

  it('are created, found, changed and seen to be merged', async () => {
    expect(value(await prs.find(project.dir, feature.head))).toBeUndefined()
    const made = value(await prs.create(project.dir, feature))
    expect(made).toMatchObject({ number: 1, title: feature.title, body: feature.body, state: 'open', draft: false })
    expect(await prs.create(project.dir, feature)).toMatchObject({ ok: false, code: 'rejected' })
    expect(value(await prs.find(project.dir, feature.head))).toEqual(made)

    const body = `${'x'.repeat(300_000)}\nend`
    expect(value(await prs.edit(project.dir, 1, { title: 'New title', body }))).toMatchObject({
      title: 'New title',
      body,
    })
    github.prs[0]!.state = 'MERGED'
    github.prs[0]!.mergeable = 'UNKNOWN'
    expect(value(await prs.view(project.dir, 1))).toMatchObject({ state: 'merged', mergeable: 'unknown' })
    const again = value(await prs.create(project.dir, { ...feature, body, draft: true }))
    expect(again).toMatchObject({ number: 2, draft: true, body })
    github.prs[0]!.state = 'OPEN'
    expect(value(await prs.find(project.dir, feature.head))?.number).toBe(2)
    github.prs[1]!.state = 'CLOSED'
    expect(value(await prs.find(project.dir, feature.head))?.number).toBe(1)
    expect(await prs.view(project.dir, 99)).toMatchObject({ ok: false, code: 'not_found' })
  })

  it('of the same branch name in somebody else’s fork are not ours', async () => {
    await project.git('remote', 'set-url', 'origin', 'git@github.localhost:team/app.git')
    value(await prs.create(project.dir, feature))
    github.prs[0]!.headRepositoryOwner = { login: 'stranger' }
    expect(value(await prs.find(project.dir, feature.head))).toBeUndefined()
  })

  it('have checks, the last run of each, and the log of what failed without its secrets', async () => {
    value(await prs.create(project.dir, feature))
    expect(value(await prs.checks(project.dir, 1))).toEqual([])
    const run = { __typename: 'CheckRun', workflowName: 'CI', status: 'COMPLETED', conclusion: 'SUCCESS' }
    const url = 'https://github.localhost/team/app/actions/runs/12/job/34'
    const times = { startedAt: '2026-01-01T00:00:00Z', completedAt: '2026-01-01T00:01:00Z' }
    github.checks = [
      { ...run, ...times, name: 'unit', detailsUrl: url, conclusion: 'SUCCESS' },
      { ...run, ...times, name: 'unit', detailsUrl: url, conclusion: 'FAILURE', startedAt: '2026-01-02T00:00:00Z' },
      {
        ...run,
        name: 'lint',
        status: 'IN_PROGRESS',
        conclusion: '',
        detailsUrl: '',
        startedAt: times.startedAt,
        completedAt: '0001-01-01T00:00:00Z',
      },
      { ...run, ...times, name: 'docs', conclusion: 'SKIPPED', detailsUrl: '' },
      {
        __typename: 'StatusContext',
        context: 'deploy',
        state: 'PENDING',
        targetUrl: 'https://example.com',
        startedAt: times.startedAt,
      },
    ]
    const checks = value(await prs.checks(project.dir, 1))
    expect(checks.map(({ name, state }) => `${name}: ${state}`)).toEqual([
      'CI / unit: failing',
      'CI / lint: pending',
      'CI / docs: skipped',
      'deploy: pending',
    ])
    expect(checks[0]).toMatchObject({ runId: '12', url, completedAt: '2026-01-01T00:01:00Z' })

    const key = `ghp_${'aB3dE5fG7hI9'.repeat(3)}`
    const lines = Array.from({ length: 12_000 }, (_, at) => `unit\tTest\t2026-01-01T00:00:00.1234567Z line ${at}`)
    github.log = [...lines, `unit\tTest\t2026-01-01T00:00:01.0000000Z token ${key}`, ''].join('\n')
    const log = value(await prs.failedLog(project.dir, checks[0]!))
    expect(log).toMatch(/^## unit \/ Test\nline 0\n/)
    expect(log).toContain('bytes left out')
    expect(log).toMatch(/line 11999\ntoken \[redacted\]$/)
    expect(await prs.failedLog(project.dir, checks[3]!)).toMatchObject({ ok: false, code: 'not_found' })
  })
})

describe('without what gh needs', () => {
  beforeEach(async () => {
    project = await createProject({ a: 'a' })
  })
  afterEach(() => project.remove())

  it('says that gh is not installed, or too old', async () => {
    const git = await tempDir('bin')
    const none = pullRequests({ PATH: git, HOME: git })
    expect(await none.ready(project.dir)).toMatchObject({ ok: false, code: 'not_installed' })
    writeFileSync(join(git, 'gh'), '#!/bin/sh\necho "gh version 1.14.0 (2021-08-04)"\n')
    chmodSync(join(git, 'gh'), 0o755)
    const old = await none.ready(project.dir)
    expect(old).toMatchObject({ ok: false, code: 'not_installed', message: expect.stringContaining('1.14.0') })
    await rm(git, { recursive: true })
  })

  it.each([
    ['no git remotes found', 1, 'no_remote'],
    [
      'none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`',
      1,
      'no_remote',
    ],
    [
      'HTTP 401: Bad credentials (https://api.github.com/graphql)\nTry authenticating with:  gh auth login',
      1,
      'not_logged_in',
    ],
    ['error connecting to api.github.com', 1, 'failed'],
  ])('reads what gh says: %s', async (words, code, expected) => {
    const bin = await tempDir('bin')
    writeFileSync(
      join(bin, 'gh'),
      `#!/bin/sh\n[ "$1" = --version ] && echo "gh version 2.40.0" && exit 0\ncat >&2 <<'X'\n${words}\nX\nexit ${code}\n`,
    )
    chmodSync(join(bin, 'gh'), 0o755)
    const answer = await pullRequests({ PATH: `${bin}:${process.env.PATH}`, HOME: bin }).ready(project.dir)
    expect(answer).toMatchObject({ ok: false, code: expected, detail: words })
    await rm(bin, { recursive: true })
  })
})
