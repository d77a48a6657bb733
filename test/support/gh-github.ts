import { chmodSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { tempDir } from './project.ts'

/**
 * A GitHub of one repository, `team/app`, on loopback. Two programs speak to it: a stand-in for `gh`, which hands its
 * arguments over and is the default, and the real `gh`, when GROVE_TEST_GH names it.
 */
export interface Github {
  prs: FakePullRequest[]
  /** As `gh pr view --json statusCheckRollup` tells them. */
  checks: Record<string, unknown>[]
  log: string
  loggedIn: boolean
  /** What creating a pull request is refused with. */
  refuses: string | undefined
  version: string
  /** Arguments and input of every call of the stand-in. */
  calls: { args: string[]; input: string }[]
  /** What a program needs in its environment to find this `gh`. */
  env: Record<string, string>
  close(): Promise<void>
}

interface FakePullRequest {
  number: number
  url: string
  title: string
  body: string
  state: 'OPEN' | 'MERGED' | 'CLOSED'
  isDraft: boolean
  baseRefName: string
  headRefName: string
  headRefOid: string
  mergeable: string
  headRepositoryOwner: { login: string }
}

/** The real programs that the tests can use here. */
export const GH_PROGRAMS = ['stand-in', ...(process.env.GROVE_TEST_GH ? ['real' as const] : [])] as const

export async function startGithub(program: (typeof GH_PROGRAMS)[number]): Promise<Github> {
  const home = await tempDir('gh')
  const github: Omit<Github, 'env' | 'close'> = {
    prs: [],
    checks: [],
    log: '',
    loggedIn: true,
    refuses: undefined,
    version: '2.40.0',
    calls: [],
  }
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const answer = request.url === '/stand-in' ? standIn(github, JSON.parse(body)) : api(github, request, body)
    const isText = typeof answer.body === 'string' || Buffer.isBuffer(answer.body)
    response.writeHead(answer.status, {
      'content-type': isText ? 'application/zip' : 'application/json',
      ...answer.headers,
    })
    response.end(isText ? answer.body : JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const bin = join(home, 'bin')
  await mkdir(bin)
  // A bundle of it lies elsewhere; tests and benches are both started in the package's folder.
  const script = resolve('test/support/gh-stand-in.cjs')
  const runs = program === 'real' ? process.env.GROVE_TEST_GH! : `${process.execPath}" "${script}`
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\nexec "${runs}" "$@"\n`)
  chmodSync(join(bin, 'gh'), 0o755)
  // The real one speaks plain HTTP to this host name, and finds it through the proxy; it must find nothing else.
  const proxy = `http://127.0.0.1:${port}`
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    GH_HOST: 'github.localhost',
    GH_TOKEN: 'not-a-token',
    GH_STAND_IN: `${proxy}/stand-in`,
    http_proxy: proxy,
    https_proxy: 'http://127.0.0.1:1',
  }
  return Object.assign(github, { env, close: () => close(server, home) })
}

async function close(server: Server, home: string): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(home, { recursive: true, force: true })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

type State = Omit<Github, 'env' | 'close'>

interface Answer {
  status: number
  headers?: Record<string, string>
  body: unknown
}

/** What the real program does with its arguments, as far as Grove uses it, in its own words. */
function standIn(github: State, { args, input }: { args: string[]; input: string }): Answer {
  github.calls.push({ args, input })
  const says = (stdout: string) => ({ status: 200, body: { code: 0, stdout, stderr: '' } })
  const fails = (code: number, stderr: string) => ({ status: 200, body: { code, stdout: '', stderr } })
  const flag = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? ''
  const command = args.slice(0, 2).join(' ')
  if (args[0] === '--version') return says(`gh version ${github.version} (2024-01-01)\n`)
  if (!github.loggedIn) return fails(4, 'To get started with GitHub CLI, please run:  gh auth login\n')
  if (command === 'repo view') return says('{"nameWithOwner":"team/app"}\n')
  if (command === 'pr list') return says(JSON.stringify(github.prs.filter((pr) => pr.headRefName === flag('head'))))
  if (command === 'pr create') {
    if (github.refuses) return fails(1, github.refuses)
    const pr = { base: flag('base'), head: flag('head'), title: flag('title'), body: input }
    const made = create(github, pr, args.includes('--draft'))
    return typeof made === 'string' ? fails(1, `pull request create failed: GraphQL: ${made}\n`) : says(`${made.url}\n`)
  }
  if (command === 'run view') return says(github.log)
  const number = Number(command === 'pr view' ? args[2] : /pulls\/(\d+)/.exec(args[2] ?? '')?.[1])
  const pr = github.prs.find((each) => each.number === number)
  if (!pr)
    return fails(1, 'GraphQL: Could not resolve to a PullRequest with the number of 99. (repository.pullRequest)\n')
  if (args[0] === 'api') Object.assign(pr, JSON.parse(input))
  return args[0] === 'api' ? says('') : says(JSON.stringify({ ...pr, statusCheckRollup: github.checks }))
}

function create(
  github: State,
  { base, head, title, body }: { base: string; head: string; title: string; body: string },
  isDraft: boolean,
): FakePullRequest | string {
  const isOpen = github.prs.some((pr) => pr.headRefName === head && pr.state === 'OPEN')
  if (isOpen) return `A pull request already exists for team:${head}. (createPullRequest)`
  const number = github.prs.length + 1
  const pr: FakePullRequest = {
    number,
    url: `http://github.localhost/team/app/pull/${number}`,
    title,
    body,
    state: 'OPEN',
    isDraft,
    baseRefName: base,
    headRefName: head,
    headRefOid: 'a'.repeat(40),
    mergeable: 'MERGEABLE',
    headRepositoryOwner: { login: 'team' },
  }
  github.prs.push(pr)
  return pr
}

/** The part of GitHub's own interface that the real program asks for these commands. */
function api(github: State, request: IncomingMessage, body: string): Answer {
  if (!github.loggedIn) return { status: 401, body: { message: 'Bad credentials' } }
  const path = new URL(request.url!, 'http://api.github.localhost').pathname
  if (path === '/graphql') return graphql(github, JSON.parse(body))
  const number = Number(/\/pulls\/(\d+)$/.exec(path)?.[1])
  if (number) {
    const pr = github.prs.find((each) => each.number === number)
    if (pr) Object.assign(pr, JSON.parse(body))
    return pr ? { status: 200, body: {} } : { status: 404, body: { message: 'Not Found' } }
  }
  const run = {
    id: 12,
    status: 'completed',
    conclusion: 'failure',
    workflow_id: 1,
    jobs_url: 'http://api.github.localhost/jobs',
  }
  const steps = [{ name: 'Test', number: 1, status: 'completed', conclusion: 'failure' }]
  const job = { id: 34, run_id: 12, name: 'unit', status: 'completed', conclusion: 'failure', steps }
  if (/\/runs\/12\/logs$/.test(path) || path === '/logs') {
    const text = github.log.replace(/^unit\tTest\t/gm, '')
    return { status: 200, body: zip('unit/1_Test.txt', text) }
  }
  if (/\/runs\/12$/.test(path)) return { status: 200, body: run }
  if (/\/jobs\/34$/.test(path)) return { status: 200, body: job }
  if (path === '/jobs') return { status: 200, body: { total_count: 1, jobs: [job] } }
  if (/\/workflows\/1$/.test(path)) return { status: 200, body: { id: 1, name: 'CI' } }
  return { status: 404, body: { message: `Not Found: ${path}` } }
}

function graphql(github: State, { query, variables }: { query: string; variables: Record<string, unknown> }): Answer {
  const data = (value: unknown) => ({ status: 200, body: { data: value } })
  const shown = (pr: FakePullRequest) => {
    const contexts = { nodes: github.checks.map(fromRollup), pageInfo: { hasNextPage: false, endCursor: '' } }
    return {
      id: `PR${pr.number}`,
      ...pr,
      statusCheckRollup: { nodes: [{ commit: { statusCheckRollup: { contexts } } }] },
    }
  }
  if (query.includes('createPullRequest')) {
    const { baseRefName, headRefName, title, body, draft } = variables.input as Record<string, string | boolean>
    const pr = { base: String(baseRefName), head: String(headRefName), title: String(title), body: String(body) }
    const made = create(github, pr, draft === true)
    if (typeof made !== 'string') return data({ createPullRequest: { pullRequest: { id: 'x', url: made.url } } })
    return { status: 200, body: { data: null, errors: [{ message: made, path: ['createPullRequest'] }] } }
  }
  if (query.includes('pullRequests(')) {
    const nodes = github.prs.filter((pr) => pr.headRefName === variables.headBranch).map(shown)
    return data({ repository: { pullRequests: { totalCount: nodes.length, nodes, pageInfo: { hasNextPage: false } } } })
  }
  if (query.includes('pullRequest(number')) {
    const pr = github.prs.find((each) => each.number === variables.pr_number)
    if (pr) return data({ repository: { pullRequest: shown(pr) } })
    const message = `Could not resolve to a PullRequest with the number of ${variables.pr_number}.`
    return { status: 200, body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message }] } }
  }
  const repository = {
    id: 'R1',
    name: 'app',
    nameWithOwner: 'team/app',
    owner: { login: 'team' },
    viewerPermission: 'WRITE',
    defaultBranchRef: { name: 'main' },
  }
  return data({ repository, viewer: { login: 'ada' } })
}

function fromRollup(check: Record<string, unknown>): Record<string, unknown> {
  const workflow = { workflowRun: { workflow: { name: check.workflowName } } }
  return { ...check, createdAt: check.startedAt, ...(check.workflowName !== undefined && { checkSuite: workflow }) }
}

/** An archive with one file in it. */
function zip(name: string, text: string): Buffer {
  const data = Buffer.from(text)
  const packed = deflateRawSync(data)
  const fields = (buffer: Buffer, at: number) => {
    buffer.writeUInt16LE(20, at)
    buffer.writeUInt16LE(8, at + 4)
    buffer.writeUInt32LE(crc32(data), at + 10)
    buffer.writeUInt32LE(packed.length, at + 14)
    buffer.writeUInt32LE(data.length, at + 18)
    buffer.writeUInt16LE(name.length, at + 22)
  }
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  fields(local, 4)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  fields(central, 6)
  const end = Buffer.alloc(22)
  const offset = local.length + name.length + packed.length
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + name.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end])
}

function crc32(data: Buffer): number {
  let crc = ~0
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
