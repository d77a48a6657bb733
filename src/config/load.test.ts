import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { leaves } from './config.ts'
import { type Env, loadConfig, readConfig } from './load.ts'
import { ConfigError, describeSource } from './problem.ts'

let home: string
let project: string

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'grove-config-'))
  home = join(root, 'home')
  project = join(root, 'project')
  mkdirSync(home)
  mkdirSync(join(project, '.grove'), { recursive: true })
})

const userFile = (text: string) => writeFileSync(join(home, 'config.toml'), text)
const projectFile = (text: string) => writeFileSync(join(project, '.grove', 'config.toml'), text)
const read = (env: Env = {}, options = {}) => readConfig({ env: { GROVE_HOME: home, ...env }, cwd: project, options })
const sourceOf = (key: string, env: Env = {}) => {
  const { source } = read(env).values.find((value) => value.key === key)!
  return describeSource(source)
}
const problemsOf = (env: Env = {}) =>
  read(env).problems.map(({ source, key, what }) => `${describeSource(source)} ${key}: ${what}`)

describe('a setting', () => {
  it('has its default when nobody names it', () => {
    const { config, problems } = read()
    expect(problems).toEqual([])
    expect(config.proxy).toMatchObject({ port: 8080, target: 'https://api.anthropic.com', bodyLimitMb: 32 })
    expect(config.gate.autoSkip).toEqual({ enabled: true, lineThreshold: 5, decider: 'agent' })
    expect(config.tokens).toEqual({ warningShare: 0.8, clearShare: 0.9 })
  })

  it('comes from the command line before the environment, the project, the user and the default', () => {
    expect(sourceOf('proxy.port')).toBe('default')
    userFile('[proxy]\nport = 1001\n')
    expect(read().config.proxy.port).toBe(1001)
    expect(sourceOf('proxy.port')).toBe(`${join(home, 'config.toml')}:2`)
    projectFile('\nproxy.port = 1002\n')
    expect(read().config.proxy.port).toBe(1002)
    expect(sourceOf('proxy.port')).toBe(`${join(project, '.grove', 'config.toml')}:2`)
    expect(read({ PROXY_PORT: '1003' }).config.proxy.port).toBe(1003)
    expect(sourceOf('proxy.port', { PROXY_PORT: '1003' })).toBe('environment PROXY_PORT')
    expect(read({ PROXY_PORT: '1003' }, { 'proxy.port': '1004' }).config.proxy.port).toBe(1004)
  })

  it('is found from a folder deep inside the project', () => {
    projectFile('port = 4000')
    const deep = join(project, 'src', 'deep')
    mkdirSync(deep, { recursive: true })
    expect(readConfig({ env: { GROVE_HOME: home }, cwd: deep }).config.port).toBe(4000)
  })

  it('is merged with its neighbours in other files, one by one', () => {
    userFile(
      '[gate.auto_skip]\nline_threshold = 9\n[retrieval]\nstrategy = "aggressive"\n[ticketing.overrides]\ntissue = false\n',
    )
    projectFile('[gate.auto_skip]\ndecider = "never"\n[ticketing.overrides]\nbeads = false\n')
    expect(read().config).toMatchObject({
      ticketing: { overrides: { tissue: false, beads: false, tasks: true } },
      gate: { autoSkip: { enabled: true, lineThreshold: 9, decider: 'never' } },
      retrieval: { strategy: 'aggressive', maxInjections: 5 },
    })
  })

  it('may be a list or a table', () => {
    userFile('[ticketing]\ndiscovery = ["beads"]\noverrides = { tissue = false }\n[backends.overrides]\nmcp = true\n')
    const { config, problems } = read({ NO_PROXY: 'localhost, 10.0.0.1' })
    expect(problems).toEqual([])
    expect(config.ticketing).toMatchObject({ discovery: ['beads'], overrides: { tissue: false, beads: true } })
    expect(config.backends.overrides).toMatchObject({ mcp: true })
    expect(config.proxy.noProxy).toEqual(['localhost', '10.0.0.1'])
  })

  it('counts as not set when its variable is empty', () => {
    expect(read({ PORT: '', LOG_LEVEL: ' ' }).config).toMatchObject({ port: 3333, log: { level: 'info' } })
  })

  it('takes DEBUG for itself only when it is meant', () => {
    expect(read({ DEBUG: 'true' }).config.debug).toBe(true)
    expect(read({ DEBUG: 'express:*' }).config.debug).toBe(false)
    expect(read({ DEBUG: 'express:*' }).problems).toEqual([])
  })

  it('can be read from every environment variable it names', () => {
    const text = fc.constantFrom('', '0', '1', '65535', 'true', 'x', 'a,b', 'https://h', 'heuristic', ' ', '-1', '1e3')
    const names = leaves.flatMap(({ env }) => (env ? [env].flat() : [])).filter((name) => name !== 'GROVE_HOME')
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), text), (env) => {
        const { config, problems, values } = read(env)
        expect(config.port).toBeTypeOf('number')
        expect(values).toHaveLength(leaves.length)
        for (const { source } of problems) expect(source.kind).toBe('environment')
      }),
    )
  })
})

describe('a mistake', () => {
  it('is named with file, line, key, what was expected and what was found', () => {
    userFile('[proxy]\nport = "eighty"\n\n[judge]\nkind = "haiku"\n')
    const file = join(home, 'config.toml')
    expect(problemsOf()).toEqual([
      `${file}:2 proxy.port: expected a port number from 0 to 65535 (0: any free one), found "eighty"`,
      `${file}:5 judge.kind: expected one of "heuristic", "anthropic", "claude-cli", found "haiku"`,
    ])
  })

  it('in a list or a table is shown, with its line', () => {
    const mcp = 'command = "npx -y server"\nenv = ["KEY"]\n'
    userFile(`[ticketing]\ndiscovery = ["beads", "jira"]\noverrides = { tissue = "no" }\n[backends.mcp]\n${mcp}`)
    projectFile('[ticketing.overrides]\nbeads = true\njira = false\n')
    const file = join(home, 'config.toml')
    expect(problemsOf()).toEqual([
      expect.stringContaining(
        'config.toml:3 ticketing.overrides.jira: unknown setting; [ticketing.overrides] has tissue, beads, tasks, session',
      ),
      `${file}:2 ticketing.discovery: expected a list of "tissue", "beads", "tasks", "session", found ["beads","jira"]`,
      `${file}:3 ticketing.overrides.tissue: expected true or false, found "no"`,
      `${file}:5 backends.mcp.command: expected a list of texts, found "npx -y server"`,
      `${file}:6 backends.mcp.env: expected a list of texts such as "NAME=value", found another value (hidden)`,
    ])
  })

  it('of a folder in place of the file is said, too', () => {
    mkdirSync(join(home, 'config.toml'), { recursive: true })
    expect(problemsOf()).toEqual([expect.stringMatching(/Grove does not use .*config\.toml: it is a folder\.$/)])
  })

  it('in the environment is named by its variable', () => {
    expect(problemsOf({ PORT: 'abc', ANTHROPIC_TARGET: 'api.anthropic.com' })).toEqual([
      'environment PORT port: expected a port number from 0 to 65535 (0: any free one), found "abc"',
      'environment ANTHROPIC_TARGET proxy.target: expected a URL such as "https://api.anthropic.com", without user name or query, found "api.anthropic.com"',
    ])
  })

  it.each([
    'https://me:s3cret@api.example',
    'https://api.example/?key=1',
    'https://api.example/#x',
    'ftp://api.example',
  ])('in the target is found before anything starts, and shows no password: %s', (target) => {
    const [problem, ...more] = problemsOf({ ANTHROPIC_TARGET: target })
    expect(more).toEqual([])
    expect(problem).toContain('without user name or query, found "')
    expect(problem).not.toContain('s3cret')
  })

  it('in a name comes with the name that was meant', () => {
    userFile('prot = 1\n[gate.autoSkip]\nenabled = true\n[log]\nport = 1\n[frobnicate]\nx = 1\n')
    const whats = read().problems.map(({ key, what }) => `${key}: ${what}`)
    expect(whats).toEqual([
      'prot: unknown setting; did you mean port?',
      'gate.autoSkip: unknown setting; did you mean gate.auto_skip?',
      'log.port: unknown setting; did you mean port?',
      'frobnicate: unknown setting',
    ])
  })

  // Where each took as long as the file is long, this took minutes.
  it('is reported for the first of very many, and for the beginning of a name without end', { timeout: 60_000 }, () => {
    const many = Array.from({ length: 80_000 }, (_, n) => `k${n} = 1\n`).join('')
    userFile(`${many}port = 4000\nmodel = 3\n`)
    const { config, problems } = read()
    expect(config.port).toBe(4000)
    expect(problems.slice(0, 2).map(({ source, what }) => [source, what])).toMatchObject([
      [{ line: 1 }, 'unknown setting'],
      [{ line: 2 }, 'unknown setting'],
    ])
    expect(problems).toHaveLength(20)
    userFile(`"${'a.'.repeat(400_000)}" = 1\n[${Array(100_000).fill('a').join('.')}]\n`)
    expect(read().problems.map(({ key }) => key?.length)).toEqual([201, 1])
  })

  it('is reported even where another layer wins, and never alone', () => {
    userFile('port = -1\n')
    projectFile('port = 70000\nproxy = 3\n')
    expect(read({ PORT: '4000' }).config.port).toBe(4000)
    expect(read({ PORT: '4000' }).problems.map(({ key }) => key)).toEqual(['proxy', 'port', 'port'])
  })

  it('in TOML shows the line', () => {
    userFile('port = 1\nhost = \n')
    const [problem] = read().problems
    expect(describeSource(problem!.source)).toBe(`${join(home, 'config.toml')}:2`)
    expect(problem!.what).toMatch(/^not valid TOML: [\s\S]*host =/)
  })

  it('between two settings is found', () => {
    userFile('[tokens]\nclear_threshold = 1000\n')
    expect(problemsOf({ TOKEN_WARNING_THRESHOLD: '2000' })).toEqual([
      `${join(home, 'config.toml')}:2 tokens.clear_threshold: expected at least tokens.warning_threshold (2000), found 1000`,
    ])
  })

  it('in a file or the environment is told, and leaves the default', () => {
    userFile('port = -1\nhots = "x"\n')
    const told: (string | undefined)[] = []
    const where = { env: { GROVE_HOME: home, PROXY_PORT: 'many' }, cwd: project }
    expect(loadConfig(where, (problems) => told.push(...problems.map(({ key }) => key)))).toMatchObject({
      port: 3333,
      proxy: { port: 8080 },
    })
    expect(told).toEqual(['hots', 'port', 'proxy.port'])
  })

  it('on the command line stops whoever made it, with everything at once', () => {
    const options = { port: 'many', 'proxy.target': 'nowhere' }
    const load = () => loadConfig({ env: { GROVE_HOME: home }, cwd: project, options })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(/2 options are wrong[\s\S]*option --port[\s\S]*option --proxy-target/)
  })

  it('between two settings leaves both at their defaults', () => {
    userFile('[tokens]\nwarning_share = 0.95\nclear_share = 0.5\n')
    expect(read().config.tokens).toMatchObject({ warningShare: 0.8, clearShare: 0.9 })
  })
})

describe('a cloned project', () => {
  it.each([
    ['where the key goes', '[proxy]\ntarget = "https://elsewhere.example"'],
    ['which program is started', '[claude]\nbin = "./claude"'],
    ['who may connect', 'host = "0.0.0.0"'],
    ['where everything is stored', '[database]\nurl = "postgres://elsewhere.example/x"'],
    ['which file is written', '[log]\nfile = "/tmp/x"'],
    ['what is spent', '[judge]\nkind = "anthropic"'],
    ['where texts are sent', '[embeddings]\nurl = "https://elsewhere.example/v1"'],
  ])('may not decide %s', (_, toml) => {
    projectFile(toml)
    const { problems, values } = read()
    expect(problems).toHaveLength(1)
    expect(problems[0]!.what).toMatch(/a project may not decide this.*set it in your own config\.toml/)
    expect(values.filter(({ source }) => source.kind === 'file')).toEqual([])
  })

  it('cannot move the home folder, nor can the user file that lies in it', () => {
    userFile('home = "/elsewhere"')
    expect(problemsOf()).toEqual([
      `${join(home, 'config.toml')}:1 home: can only be set through the environment: GROVE_HOME`,
    ])
  })
})

describe('a secret', () => {
  const url = 'postgres://ann:s3cret@db.example/grove'

  it('is used as it is and shown masked', () => {
    const { config, values } = read({
      GROVE_DATABASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-ant-1',
      HTTPS_PROXY: 'ann:s3cret@proxy:3128',
    })
    expect(config.database.url).toBe(url)
    const shown = Object.fromEntries(values.map((value) => [value.key, value.shown]))
    expect(shown).toMatchObject({
      'database.url': 'postgres://ann:***@db.example/grove',
      'judge.api_key': '***',
      'backends.mcp.env': '(none)',
      'proxy.https_proxy': 'http://ann:***@proxy:3128',
    })
  })

  it('is not quoted in an error', () => {
    userFile('[database]\nurl = "mysql://ann:s3cret@db.example/grove"')
    expect(problemsOf().join()).not.toContain('s3cret')
    userFile('[database]\nurl = postgres://ann:s3cret@db.example/grove')
    expect(read().problems).toHaveLength(1)
    expect(problemsOf().join()).not.toContain('s3cret')
  })
})
