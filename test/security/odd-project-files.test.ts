import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attempted } from './attempted.ts'
import { MB, oddClones, put } from './odd-clones.ts'

// Clones that are made to harm whoever looks at them, in the files that Grove reads. A running daemon hears of a session in
// each; nothing of them runs, blocks it for two seconds or is written elsewhere.

const clones = oddClones()
const { clone, session } = clones

describe('files that Grove reads', () => {
  const YAML: Record<string, string> = {
    'a laugh': `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
      .split('')
      .map((c, k) => `${c}: &${c} [${Array(10).fill(`*${'abcdefghij'[k]}`).join(',')}]`)
      .join('\n')}\nactive_intents: *j\n`,
    'a laugh of maps': `a: &a {x: 1}\n${'bcdefghij'
      .split('')
      .map(
        (c, k) =>
          `${c}: &${c}\n  <<: [${Array(9).fill(`*${'abcdefghij'[k]}`).join(', ')}]\n  ${c}1: *${'abcdefghij'[k]}`,
      )
      .join('\n')}\nactive_intents:\n  - *j\n`,
    'an anchor in itself': 'active_intents: &a\n  - *a\n  - id: &b\n      x: *b\n',
    tags: 'active_intents:\n  - !!js/function "process.exit()"\n  - !!python/object/apply:os.system ["id"]\n  - !!binary "////"\n  - !!set {a, b}\n  - !!timestamp 99999-99-99\n',
    'names of prototypes':
      'active_intents:\n  - __proto__: {id: x}\n    id: __proto__\n    name: constructor\n    owned_scope: [__proto__]\n__proto__: {polluted: 1}\n',
    'twenty thousand documents': '---\na\n'.repeat(20_000),
    'a hundred thousand keys': Array.from({ length: 12_000 }, (_, k) => `k${k}: 1`).join('\n'),
    'keys in keys': `${'? '.repeat(5000)}a`,
    'nested strings': `active_intents: "${'\\u0000\\ud800'.repeat(9000)}"`,
    folds: `active_intents: >\n${'  a\n\n'.repeat(20_000)}`,
    numbers:
      'active_intents:\n  - id: 1e309\n    name: .inf\n    status: -.nan\n    priority: 0x1p99999\n    owned_scope: [0o7777777777777777777777, 1_000_000]\n',
    globs: `active_intents:\n  - id: A\n    name: A\n    status: IN_PROGRESS\n    owned_scope:\n${['{'.repeat(900), `${'{a,b}'.repeat(100)}`, `${'*a'.repeat(900)}b`, `${'**/'.repeat(600)}x`, `+(${'a|'.repeat(400)}b)*c`, `!(${'!('.repeat(300)}a${')'.repeat(301)}`, '{1..99999999}', `[${'a-z'.repeat(600)}]`, '[[:alpha:][:digit:]', '\\'.repeat(1999), '../'.repeat(600), '\u0000', '/etc/**', '~/**', 'C:/**', '(a+)+$', '@(+(a)|*(a))*b'].map((one) => `      - ${JSON.stringify(one)}`).join('\n')}\n`,
    'many intents': `active_intents:\n${Array.from({ length: 20_000 }, (_, k) => `  - id: I${k}\n    name: N\n    status: IN_PROGRESS\n    owned_scope: ["src/${k}/**/*{a,b}*"]\n`).join('')}`,
    'a tab': 'active_intents:\n\t- id: A\n',
    'no text': '\u0000\u0001\ufffe',
  }
  it.each(attempted(Object.keys(YAML)))(
    'intents with %s',
    async (name) => {
      const root = clone()
      put(join(root, '.orchestration', 'active_intents.yaml'), YAML[name]!)
      put(join(root, '.orchestration', '.intentignore'), 'A\n')
      await session(root)
      await clones.commands(root, ['intent', 'list'], ['intent', 'check', 'a.ts'], ['status'])
      execFileSync('rm', ['-rf', root])
    },
    600_000,
  )

  const TOML: Record<string, string | Buffer> = {
    'two hundred thousand keys': Array.from({ length: 200_000 }, (_, k) => `k${k} = 1`).join('\n'),
    'keys of one letter, dotted': Array.from({ length: 50_000 }, (_, k) => `a.b.c.d.e.f.k${k} = 1`).join('\n'),
    prototypes: '__proto__.polluted = 1\nconstructor.prototype.x = 1\n[__proto__]\ny = 1\n',
    'numbers and times': 'a = 1e400\nb = -inf\nc = 99999-12-31T23:59:60Z\nd = 0xffffffffffffffffffffff\n',
    'lists in lists': `a = ${'['.repeat(90)}${']'.repeat(90)}\nb = [${'[],'.repeat(100_000)}]\n`,
    tables: '[[a]]\n'.repeat(100_000),
    'a string of eight megabytes': `a = "${'x'.repeat(8 * MB - 20)}"`,
    'no text': Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x5b]),
    'what a project may not say':
      'home = "/tmp/x"\nport = 1\nhost = "0.0.0.0"\nproxy_port = 1\nproxy_host = "0.0.0.0"\nanthropic_target = "http://127.0.0.1:1"\ntarget = "http://127.0.0.1:1"\ndatabase_url = "postgres://127.0.0.1:1/x"\nallowed_hosts = ["evil"]\n[server]\nhost = "0.0.0.0"\n[proxy]\nhost = "0.0.0.0"\ntarget = "http://127.0.0.1:1"\n[claude]\nbin = "/bin/false"\n[judge]\nprovider = "anthropic"\napi_key = "x"\nbase_url = "http://127.0.0.1:1"\n[team]\ndatabase_url = "postgres://127.0.0.1:1/x"\n[notify]\ncommand = "touch x"\n[learning]\nbackend = "mcp"\n[learning.mcp]\ncommand = "sh"\nargs = ["-c", "touch x"]\n',
  }
  it.each(attempted(Object.keys(TOML)))(
    'settings with %s',
    async (name) => {
      const root = clone()
      put(join(root, '.grove', 'config.toml'), TOML[name]!)
      await session(root)
      await clones.commands(root, ['status'], ['doctor'], ['config'], ['settings'])
      expect(existsSync(join(root, 'x'))).toBe(false)
      execFileSync('rm', ['-rf', root])
    },
    600_000,
  )

  const OTHERS: [name: string, what: string, text: () => string][] = [
    ['.grove/learnings.md', 'headings', () => '## [a] b\n<!-- id: x -->\n'.repeat(100_000)],
    ['.grove/learnings.md', 'comments that never end', () => '<!-- '.repeat(1_500_000)],
    ['.grove/learnings.md', 'one line', () => 'a'.repeat(15 * MB)],
    [
      '.grove/learnings.md',
      'ids of prototypes',
      () => '# Learnings\n\n## __proto__\n<!-- grove:id=__proto__ -->\n- id: constructor\n',
    ],
    ['CLAUDE.md', 'markers', () => '<!-- grove:begin -->\n<!-- grove:end -->\n'.repeat(100_000)],
    ['CLAUDE.md', 'markers the wrong way round', () => '<!-- grove:end --><!-- grove:begin -->'.repeat(100_000)],
    ['.intentignore', 'globs', () => '**/*a*a*a*a*b\n'.repeat(300_000)],
    [
      '.orchestration/agent_trace.jsonl',
      'lines',
      () =>
        '{"version":"0.1.0","id":"__proto__","files":[{"path":"../../etc","conversations":[{"ranges":[{"start_line":1e309,"end_line":-1}]}]}]}\n'.repeat(
          50_000,
        ),
    ],
    ['.orchestration/agent_trace.jsonl', 'half a line', () => '{"a":"'.repeat(1_200_000)],
    [
      '.beads/issues.jsonl',
      'issues',
      () => '{"id":"__proto__","title":"x","status":{},"priority":1e309}\n'.repeat(100_000),
    ],
    ['.tickets/a.md', 'a ticket', () => `---\n${'a: &a [*a]\n'.repeat(50_000)}---\n`],
    [
      'package.json',
      'scripts',
      () =>
        `{"scripts":{${Array.from({ length: 100_000 }, (_, k) => `"test${k}":"touch x"`).join(',')}},"workspaces":[${'"**/**",'.repeat(10_000)}""]}`,
    ],
    [
      '.mcp.json',
      'servers',
      () =>
        `{"mcpServers":{${Array.from({ length: 50_000 }, (_, k) => `"memory${k}":{"command":"sh","args":["-c","touch x"]}`).join(',')},"__proto__":{"command":"touch","args":["x"]}}}`,
    ],
    [
      '.claude/settings.json',
      'programs',
      () =>
        '{"enableAllProjectMcpServers":true,"enabledMcpjsonServers":["__proto__","memory"],"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch x"}]}]},"env":{"GROVE_HOME":"/tmp/x","GROVE_CLAUDE_BIN":"/bin/false"},"apiKeyHelper":"touch x","statusLine":{"type":"command","command":"touch x"}}',
    ],
    ['t.jsonl', 'short lines', () => '{}\n'.repeat(2_500_000)],
    [
      't.jsonl',
      'results',
      () =>
        '{"type":"assistant","uuid":"__proto__","parentUuid":"__proto__","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Write","input":{}}],"usage":{"input_tokens":1e309}}}\n'.repeat(
          30_000,
        ),
    ],
    ['a.ts', 'brackets', () => '({['.repeat(500_000)],
    ['a.ts', 'a line', () => `const a = ${'1+'.repeat(500_000)}1`],
    ['a.ts', 'templates', () => '`${'.repeat(300_000)],
    ['a.ts', 'types', () => `type A = ${'A<'.repeat(100_000)}`],
  ]
  it.each(attempted(OTHERS))(
    '%s with %s',
    async (name, _what, text) => {
      const root = clone()
      put(join(root, name), text())
      await session(root)
      await clones.commands(root, ['status'], ['learnings'], ['doctor'], ['trace', 'log'], ['trace', 'verify'])
      expect(existsSync(join(root, 'x'))).toBe(false)
      execFileSync('rm', ['-rf', root])
    },
    600_000,
  )
})
