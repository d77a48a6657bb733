import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { grove, type Place, place, type Running, startGrove, withBinary } from '../cli/grove.ts'
import { attempted } from './attempted.ts'

// Clones that are made to harm whoever looks at them: in git's own files, in names, and in the files that Grove reads. A running
// daemon hears of a session in each; nothing of them runs, blocks it for two seconds or is written elsewhere.

withBinary()

let at: Place
let daemon: Running
let original: string
let marks: string

beforeAll(async () => {
  at = place({ NODE_OPTIONS: '--max-old-space-size=600' })
  original = join(at.cwd, '..', 'original')
  marks = join(at.cwd, '..', 'marks')
  for (const folder of [original, marks]) mkdirSync(folder)
  writeFileSync(join(original, 'a.ts'), 'export const a = 1\n')
  git(original, 'init', '-q', '--initial-branch=main')
  git(original, 'add', '-A')
  git(original, 'commit', '-q', '-m', 'start')
  daemon = await startGrove(at, 'web')
})
afterAll(() => daemon?.kill('SIGKILL'))
afterEach(async () => {
  expect((await fetch(`${daemon.url('Web')}/health`)).status).toBe(200)
  const said = daemon.stderr
  daemon.stderr = ''
  expect(said).not.toMatch(/blocked Grove|should not happen/)
  expect(spawnSync('ls', [marks], { encoding: 'utf8' }).stdout).toBe('')
})

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], { cwd, stdio: 'pipe', maxBuffer: 1e9 })
let n = 0
function clone(): string {
  const root = join(at.cwd, '..', `clone-${n++}`)
  cpSync(original, root, { recursive: true })
  return root
}
const fifo = (path: string) => {
  rmSync(path, { force: true })
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
}
const put = (path: string, text: string | Buffer) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const mark = (name: string) => `touch ${join(marks, name)}`
const MB = 1024 * 1024

async function tell(event: string, body: object) {
  const response = await fetch(`${daemon.url('Web')}/hooks/${event}`, {
    method: 'POST',
    headers: { ...daemon.asTool(), 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  })
  expect(response.status).toBe(200)
  return response.json()
}

/** A session in a clone, as it comes and goes. */
async function session(cwd: string) {
  const head = { session_id: `clone-${n++}`, cwd, transcript_path: join(cwd, 't.jsonl') }
  const write = {
    tool_name: 'Write',
    tool_use_id: `toolu_${n}`,
    tool_input: { file_path: join(cwd, 'a.ts'), content: 'x' },
  }
  const bash = {
    tool_name: 'Bash',
    tool_use_id: `toolu_${n}b`,
    tool_input: { command: 'git commit -am x && rm -r src' },
  }
  await tell('session-start', { ...head, hook_event_name: 'SessionStart', source: 'startup' })
  await tell('user-prompt-submit', { ...head, hook_event_name: 'UserPromptSubmit', prompt: 'Fix the login in a.ts' })
  await tell('pre-tool-use', { ...head, hook_event_name: 'PreToolUse', ...write })
  put(join(cwd, 'a.ts'), 'changed\n')
  await tell('post-tool-use', { ...head, hook_event_name: 'PostToolUse', ...write, tool_response: {} })
  await tell('pre-tool-use', { ...head, hook_event_name: 'PreToolUse', ...bash })
  await tell('post-tool-use', { ...head, hook_event_name: 'PostToolUse', ...bash, tool_response: { stdout: '' } })
  await tell('stop', { ...head, hook_event_name: 'Stop', stop_hook_active: false })
  await tell('session-end', { ...head, hook_event_name: 'SessionEnd', reason: 'exit' })
}

describe('git’s own files', () => {
  const PIPES = [
    'objects/info/commit-graph',
    'objects/info/packs',
    'objects/pack/multi-pack-index',
    'objects/pack/pack-0123456789012345678901234567890123456789.idx',
    'info/grafts',
    'info/sparse-checkout',
    'info/refs',
    'shallow',
    'refs/remotes/origin/HEAD',
    'refs/remotes/origin/main',
    'refs/tags/v1',
    'refs/stash',
    'refs/replace/0123456789012345678901234567890123456789',
    'FETCH_HEAD',
    'MERGE_HEAD',
    'ORIG_HEAD',
    'CHERRY_PICK_HEAD',
    'MERGE_MSG',
    'REBASE_HEAD',
    'BISECT_LOG',
    'logs/refs/heads/main',
    'worktrees/x/HEAD',
    'worktrees/x/gitdir',
    'worktrees/x/commondir',
    'modules/x/HEAD',
    'description',
    'COMMIT_EDITMSG',
    'objects/info/http-alternates',
    'index.lock',
    'HEAD.lock',
    'config.lock',
    'rebase-merge/head-name',
    'sequencer/todo',
    'gc.pid',
    'hooks/pre-commit',
    'branches/x',
    'remotes/origin',
    'lfs/objects',
    'fsmonitor--daemon.ipc',
  ]
  it.each(attempted(PIPES))(
    'a pipe at %s keeps nobody waiting',
    async (name) => {
      const root = clone()
      fifo(join(root, '.git', name))
      await session(root)
      execFileSync('rm', ['-rf', root])
    },
    300_000,
  )

  const SETTINGS: Record<string, (root: string) => void> = {
    'every setting that names a program': (root) => {
      const keys = [
        'core.fsmonitor',
        'core.sshCommand',
        'core.gitProxy',
        'core.pager',
        'core.editor',
        'core.askPass',
        'core.alternateRefsCommand',
        'core.hooksPath',
        'diff.external',
        'diff.x.command',
        'diff.x.textconv',
        'filter.x.clean',
        'filter.x.smudge',
        'filter.x.process',
        'merge.x.driver',
        'mergetool.x.cmd',
        'difftool.x.cmd',
        'gpg.program',
        'gpg.ssh.program',
        'gpg.ssh.defaultKeyCommand',
        'credential.helper',
        'sequence.editor',
        'uploadpack.packObjectsHook',
        'remote.origin.uploadpack',
        'remote.origin.vcs',
        'remote.origin.proxy',
        'submodule.x.update',
        'trailer.x.command',
        'trailer.x.cmd',
        'interactive.diffFilter',
        'pager.status',
        'pager.log',
        'pager.config',
        'alias.status',
        'alias.config',
        'alias.log',
        'alias.rev-parse',
        'man.x.cmd',
        'browser.x.cmd',
        'web.browser',
        'instaweb.httpd',
        'sendemail.sendmailCmd',
        'protocol.ext.allow',
        'tar.x.command',
        'ssh.variant',
        'gui.x.cmd',
        'guitool.x.cmd',
        'imap.tunnel',
        'receive.procReceiveRefs',
        'blame.ignoreRevsFile',
        'init.templateDir',
        'core.worktree',
        'bundle.x.uri',
        'fetch.bundleURI',
        'http.proxy',
        'url.ext::sh.insteadOf',
        'extensions.partialClone',
        'remote.origin.promisor',
        'log.mailmap',
        'mailmap.file',
        'mailmap.blob',
        'commit.template',
        'color.pager',
        'safe.bareRepository',
        'trace2.eventTarget',
        'trace2.normalTarget',
        'trace2.perfTarget',
        'core.excludesFile',
        'core.attributesFile',
        'format.signatureFile',
        'notes.displayRef',
        'advice.x',
        'clone.defaultRemoteName',
        'maintenance.strategy',
        'core.untrackedCache',
        'core.splitIndex',
        'core.preloadIndex',
        'index.threads',
        'feature.manyFiles',
        'core.sparseCheckout',
        'core.sparseCheckoutCone',
      ]
      const lines = keys.map((key) => {
        const at = key.lastIndexOf('.')
        const [section, ...sub] = key.slice(0, at).split('.')
        const value = /core\.(?:untracked|split|preload|sparse)|index\.|feature\.|promisor|mailmap$/.test(key)
          ? 'true'
          : /worktree/.test(key)
            ? root
            : /protocol/.test(key)
              ? 'always'
              : /Target$|File$|signatureFile|template/.test(key)
                ? join(marks, key)
                : `sh -c '${mark(key)}'`
        return `[${section}${sub.length ? ` "${sub.join('.')}"` : ''}]\n\t${key.slice(at + 1)} = "${value.replaceAll('"', '\\"')}"`
      })
      put(
        join(root, '.git', 'config'),
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${lines.join('\n')}\n[remote "origin"]\n\turl = ext::sh -c ${join(marks, 'url')}\n`,
      )
      put(join(root, '.gitattributes'), '* filter=x diff=x merge=x text eol=lf ident\n')
    },
    'settings that include themselves, pipes and devices': (root) => {
      const config = join(root, '.git', 'config')
      fifo(join(root, 'pipe'))
      put(
        config,
        `${readFileSync(config)}[include]\n\tpath = config\n\tpath = ${join(root, 'pipe')}\n\tpath = /dev/zero\n[includeIf "gitdir:/"]\n\tpath = ../pipe\n[includeIf "onbranch:**/**/**/**/**/**/**/x"]\n\tpath = x\n`,
      )
    },
    'twenty thousand sections': (root) =>
      put(
        join(root, '.git', 'config'),
        `[core]\n\tbare = false\n${Array.from({ length: 20_000 }, (_, k) => `[remote "r${k}"]\n\turl = https://x/${k}\n`).join('')}`,
      ),
    'a setting of two megabytes': (root) =>
      put(
        join(root, '.git', 'config'),
        `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${'a'.repeat(2 * MB - 100)}\n`,
      ),
    'settings that are no text': (root) =>
      put(
        join(root, '.git', 'config'),
        Buffer.concat([
          Buffer.from('[core]\n\tbare = false\n[remote "'),
          Buffer.from([0xff, 0xfe, 0x00, 0x1b]),
          Buffer.from('"]\n\turl = \u001b[2J\n'),
        ]),
      ),
    'a version that git does not know': (root) =>
      put(
        join(root, '.git', 'config'),
        '[core]\n\trepositoryformatversion = 99\n[extensions]\n\tobjectFormat = sha512\n\trefStorage = nothing\n',
      ),
    'a missing promised object': (root) => {
      put(
        join(root, '.git', 'config'),
        `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ext::sh -c "${mark('promise')}"\n\tpromisor = true\n\tuploadpack = ${mark('pack')};\n`,
      )
      const id = execFileSync('git', ['rev-parse', 'HEAD:a.ts'], { cwd: root, encoding: 'utf8' }).trim()
      rmSync(join(root, '.git', 'objects', id.slice(0, 2), id.slice(2)))
    },
    'refs that lead in a circle': (root) => {
      put(join(root, '.git', 'HEAD'), 'ref: refs/heads/x\n')
      put(join(root, '.git', 'refs', 'heads', 'x'), 'ref: refs/heads/y\n')
      put(join(root, '.git', 'refs', 'heads', 'y'), 'ref: refs/heads/x\n')
    },
    'a branch outside': (root) => put(join(root, '.git', 'HEAD'), 'ref: ../../../../../../etc/passwd\n'),
    'a branch whose name is a command': (root) => {
      const id = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
      for (const name of [
        '$(touch x)',
        '--upload-pack=x',
        '-x',
        '`id`',
        ';id',
        "'",
        '\u202ex',
        'a b',
        '--help',
        'x'.repeat(200),
      ])
        put(join(root, '.git', 'refs', 'heads', name), id)
      put(join(root, '.git', 'HEAD'), `ref: refs/heads/--output=${join(marks, 'output')}\n`.replaceAll(`${marks}/`, ''))
    },
    'a packed list of three hundred thousand refs': (root) => {
      const id = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
      put(
        join(root, '.git', 'packed-refs'),
        `# pack-refs with: peeled fully-peeled sorted \n${Array.from({ length: 300_000 }, (_, k) => `${id} refs/tags/t${String(k).padStart(7, '0')}\n`).join('')}`,
      )
    },
    'a packed list of refs without end': (root) => {
      put(join(root, '.git', 'packed-refs'), '')
      truncateSync(join(root, '.git', 'packed-refs'), 3 * 1024 * MB)
    },
    'an index that promises four billion files': (root) =>
      put(
        join(root, '.git', 'index'),
        Buffer.concat([Buffer.from('DIRC'), Buffer.from([0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff]), Buffer.alloc(100)]),
      ),
    'an index of three gigabytes': (root) => truncateSync(join(root, '.git', 'index'), 3 * 1024 * MB),
    'alternates that lead in a circle and outside': (root) =>
      put(
        join(root, '.git', 'objects', 'info', 'alternates'),
        `${join(root, '.git', 'objects')}\n/dev\n/proc/self/root\n../../.git/objects\n${'/a'.repeat(2000)}\n`,
      ),
    'a folder of git that leads in a circle': (root) => {
      rmSync(join(root, '.git'), { recursive: true })
      put(join(root, '.git'), 'gitdir: .git\n')
    },
    'a folder of git that is /proc': (root) => {
      rmSync(join(root, '.git'), { recursive: true })
      put(join(root, '.git'), 'gitdir: /proc/self/cwd/.git\n')
    },
    'a common folder that is itself': (root) => put(join(root, '.git', 'commondir'), '.\n'),
    'a common folder of another repository': (root) =>
      put(join(root, '.git', 'commondir'), `${join(original, '.git')}\n`),
    'a replaced commit': (root) => {
      const id = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
      put(join(root, '.git', 'refs', 'replace', id), `${id}\n`)
    },
    'a file that is three gigabytes when it is unpacked': (root) => {
      const id = execFileSync('sh', ['-c', 'head -c 3221225472 /dev/zero | git hash-object -w --stdin'], {
        cwd: root,
        encoding: 'utf8',
      }).trim()
      git(root, 'update-index', '--cacheinfo', `100644,${id},a.ts`)
      git(root, 'commit', '-q', '-m', 'x')
    },
    'a commit with a message of fifty megabytes': (root) => {
      const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' }).trim()
      const commit = `tree ${tree}\nauthor \u001b[2J <a> 99999999999999999 +9999\ncommitter \u202e <a> -1 +0000\n\n${'a: b\n\u001b]0;x\u0007'.repeat(5 * MB)}`
      const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
        cwd: root,
        input: commit,
        encoding: 'utf8',
      }).trim()
      put(join(root, '.git', 'refs', 'heads', 'main'), `${id}\n`)
    },
    'files whose names are options, lines and no text': (root) => {
      for (const name of [
        '--output=x',
        '-rf',
        'a\nb',
        '\u001b[2J',
        '$(id)',
        '`id`',
        ':(glob)**',
        ':!a',
        '*',
        '"',
        "'",
        ' ',
        '\\',
        'CON',
        '~',
        '#',
      ])
        put(join(root, name), 'x')
      execFileSync('sh', ['-c', 'printf x > "$(printf \'a\\377b\')"'], { cwd: root })
      git(root, 'add', '-A')
      git(root, 'commit', '-q', '-m', 'x')
      put(join(root, '--output=x'), 'y')
    },
    'a folder three thousand deep': (root) =>
      execFileSync(
        'sh',
        ['-c', 'i=0; while [ $i -lt 3000 ]; do mkdir a && cd -P a; i=$((i+1)); done; echo x > x 2>/dev/null; true'],
        { cwd: root },
      ),
    'a hundred thousand new files': (root) =>
      execFileSync('sh', ['-c', 'mkdir many; cd many; seq 1 100000 | xargs touch'], { cwd: root }),
    'links in circles': (root) => {
      mkdirSync(join(root, 'src'))
      for (const name of ['a', 'b', 'c']) symlinkSync('..', join(root, 'src', name))
      symlinkSync('/', join(root, 'all'))
      symlinkSync('/proc/self/root', join(root, 'proc'))
    },
    'submodules that lead outside': (root) =>
      put(
        join(root, '.gitmodules'),
        `[submodule "../../x"]\n\tpath = ../../..\n\turl = ext::sh -c "${mark('module')}"\n\tupdate = !${mark('update')}\n[submodule "-x"]\n\tpath = -x\n\turl = -u./x\n`,
      ),
    'attributes of two megabytes': (root) =>
      put(join(root, '.gitattributes'), '[attr]x -y\n**/**/**/**/*a*b*c*d* x\n'.repeat(40_000)),
    'ignored names of two megabytes': (root) => put(join(root, '.gitignore'), '**/*a*a*a*a*a*a*a*b\n'.repeat(90_000)),
    'a hook of every name': (root) => {
      for (const name of [
        'post-index-change',
        'fsmonitor-watchman',
        'pre-commit',
        'post-checkout',
        'reference-transaction',
        'pre-auto-gc',
        'post-rewrite',
        'sendemail-validate',
      ]) {
        put(join(root, '.git', 'hooks', name), `#!/bin/sh\n${mark(`hook-${name}`)}\n`)
        execFileSync('chmod', ['+x', join(root, '.git', 'hooks', name)])
      }
    },
  }
  it.each(attempted(Object.keys(SETTINGS)))(
    '%s',
    async (name) => {
      const root = clone()
      SETTINGS[name]!(root)
      await session(root)
      for (const args of [['status'], ['doctor'], ['intent', 'list'], ['import', 'git', '--max', '10']]) {
        const { code, stdout, stderr } = await grove({ ...at, cwd: root }, ...args)
        expect(code, args.join(' ')).not.toBeNull()
        expect(stdout + stderr).not.toMatch(/should not happen|at .*\.js:\d/)
      }
      execFileSync('rm', ['-rf', root])
    },
    600_000,
  )
})

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
      for (const args of [['intent', 'list'], ['intent', 'check', 'a.ts'], ['status']]) {
        const { code, stdout, stderr } = await grove({ ...at, cwd: root }, ...args)
        expect(code, args.join(' ')).not.toBeNull()
        expect(stdout + stderr).not.toMatch(/should not happen|at .*\.js:\d/)
      }
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
      for (const args of [['status'], ['doctor'], ['config'], ['settings']]) {
        const { code, stdout, stderr } = await grove({ ...at, cwd: root }, ...args)
        expect(code, args.join(' ')).not.toBeNull()
        expect(stdout + stderr).not.toMatch(/should not happen|at .*\.js:\d/)
      }
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
      for (const args of [['status'], ['learnings'], ['doctor'], ['trace', 'log'], ['trace', 'verify']]) {
        const { code, stdout, stderr } = await grove({ ...at, cwd: root }, ...args)
        expect(code, args.join(' ')).not.toBeNull()
        expect(stdout + stderr).not.toMatch(/should not happen|at .*\.js:\d/)
      }
      expect(existsSync(join(root, 'x'))).toBe(false)
      execFileSync('rm', ['-rf', root])
    },
    600_000,
  )
})
