import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { attempted } from './attempted.ts'
import { fifo, git, MB, oddClones, put } from './odd-clones.ts'

// Clones that are made to harm whoever looks at them, in git's own files and in names. A running daemon hears of a session in
// each; nothing of them runs, blocks it for two seconds or is written elsewhere.

const clones = oddClones()
const { clone, mark, session } = clones

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
                ? join(clones.marks, key)
                : `sh -c '${mark(key)}'`
        return `[${section}${sub.length ? ` "${sub.join('.')}"` : ''}]\n\t${key.slice(at + 1)} = "${value.replaceAll('"', '\\"')}"`
      })
      put(
        join(root, '.git', 'config'),
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${lines.join('\n')}\n[remote "origin"]\n\turl = ext::sh -c ${join(clones.marks, 'url')}\n`,
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
      put(
        join(root, '.git', 'HEAD'),
        `ref: refs/heads/--output=${join(clones.marks, 'output')}\n`.replaceAll(`${clones.marks}/`, ''),
      )
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
      put(join(root, '.git', 'commondir'), `${join(clones.original, '.git')}\n`),
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
      await clones.commands(root, ['status'], ['doctor'], ['intent', 'list'], ['import', 'git', '--max', '10'])
      execFileSync('rm', ['-rf', root])
    },
    600_000,
  )
})
