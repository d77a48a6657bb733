import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { run } from '#exec/spawn.ts'
import { guarded, intentsYaml } from '../../support/guarded.ts'
import { tempDir } from '../../support/project.ts'

/** Commands, one a line; `# …` begins a group, a line in double quotes is JSON and may hold line breaks. */
export function commandsIn(file: string, folder = 'test/corpus/guard'): { group: string; command: string }[] {
  let group = ''
  return readFileSync(resolve(folder, file), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('# ')) group = line.slice(2)
      if (line === '' || line.startsWith('# ')) return []
      return [{ group, command: line.startsWith('"') ? (JSON.parse(line) as string) : line }]
    })
}

/** What came of a command: refused, told afterwards, not noticed, or done without touching anything outside the scope. */
export type Outcome = 'denied' | 'told' | 'silent' | 'untouched'

const PATCH = '--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# Readme\n+# Other\n'

const FILES: Record<string, string> = {
  'src/auth/token.ts': 'export const ttl = 5\n',
  'src/billing/price.ts': 'export const price = 1\n',
  'src/billing/other.ts': 'export const other = 1\n',
  'README.md': '# Readme\n',
  'package.json':
    '{\n  "name": "demo",\n  "version": "1.0.0",\n  "scripts": { "gen": "sh scripts/gen.sh", "test": "true", "build": "mkdir -p dist && echo 1 > dist/a.js", "lint": "true", "test:unit": "true" }\n}\n',
  Makefile: 'all test check lint:\n\t@true\ndocs:\n\techo made > README.md\n',
  'extra.mk': 'all:\n\techo made > made.txt\n',
  'scripts/gen.sh': '#!/bin/sh\necho generated > generated.txt\n',
  'scripts/gen.py': "open('generated.txt', 'w').write('x')\n",
  'scripts/gen.mjs': "import { writeFileSync } from 'node:fs'\nwriteFileSync('generated.txt', 'x')\n",
  'scripts/env.py': "open('.env', 'a').write('B=2\\n')\n",
  'scripts/env.sh': 'echo B=2 >> .env\n',
  'scripts/hard.py': "open('src/auth/hard.ts', 'w').write('x')\n",
  'scripts/nested.sh': 'cd vendor/lib && echo n > n.js && git add -A && git commit -qm n\n',
  'scripts/claude.sh': 'mkdir -p .claude; echo "{}" > .claude/settings.json\n',
  'scripts/orch.sh':
    'echo "auth" >> .orchestration/.intentignore; sed -i "s/src.auth/src/" .orchestration/active_intents.yaml\n',
  'scripts/skip.sh': 'git update-index --skip-worktree README.md && echo x > README.md\n',
  'scripts/backdate.sh':
    'echo x > README.md; GIT_COMMITTER_DATE="2001-01-01T00:00:00" git commit -qam old --date=2001-01-01T00:00:00\n',
  'scripts/ignore-then-write.sh': 'echo "*.tmpl" >> .git/info/exclude; echo x > page.tmpl\n',
  'outside.patch': PATCH,
  'plain.diff': '1c1\n< # Readme\n---\n> # Other\n',
  'mail.patch': `From 0000000000000000000000000000000000000001 Mon Sep 17 00:00:00 2001\nFrom: a <a@example.invalid>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: [PATCH] x\n\n---\n${PATCH}-- \n2.40\n`,
  'list.txt': 'README.md\n',
  'prog.c': 'int main(void) { return 0; }\n',
  '.gitignore': 'dist/\nnode_modules/\n.env\n*.log.local\n',
  '.orchestration/active_intents.yaml': intentsYaml({ auth: ['src/auth/**'], billing: ['src/billing/**'] }),
}

const AFTERWARDS = `
set -e
identity() { git -C "$1" config user.name Somebody; git -C "$1" config user.email somebody@example.invalid; }
identity .
git branch -q other && git switch -q other && echo '# Theirs' > README.md && echo 'export const price = 2' > src/billing/price.ts
git commit -qam theirs && git switch -q -
echo '// more' >> src/billing/price.ts && git commit -qam second
echo '# Stashed' > README.md && git stash -q
mkdir -p empty dist vendor/lib && echo TOKEN=1 > .env && echo 1 > dist/a.js
ln -s ../billing src/auth/link && ln src/billing/other.ts src/auth/hard.ts
mkdir /tmp/x.$$ && cd /tmp/x.$$ && echo '# Packed' > README.md && tar cf drop.tar README.md && tar czf drop.tgz README.md && zip -q drop.zip README.md && echo d > data.txt && gzip data.txt && mv drop.* data.txt.gz "$OLDPWD" && cd "$OLDPWD" && rm -rf /tmp/x.$$
git init -q vendor/lib && identity vendor/lib && (cd vendor/lib && echo a > a.js && git add -A && git commit -qm lib)
git add -A -- . ':!vendor' && git commit -qm rest
`

/** A project with everything that the commands of this folder speak of, and a guard that is asked about each of them. */
export async function corpusStage(whenFinished: (work: () => Promise<void>) => void) {
  const stage = await guarded(whenFinished, FILES, { settings: '[guard]\nask_in = "terminal"\n' })
  const made = await run('bash', ['-c', AFTERWARDS], { cwd: stage.dir })
  if (made.code !== 0) throw new Error(`the project could not be made: ${made.stderr}`)
  const places = await tempDir('grove-corpus')
  whenFinished(() => rm(places, { recursive: true, force: true, maxRetries: 5 }))
  let count = 0

  /** A fresh copy of the project; hard links stay links. */
  async function place(): Promise<string> {
    const dir = join(places, String(++count))
    await run('cp', ['-a', stage.dir, dir])
    return dir
  }

  /** What the guard says to a command: a refusal, a question to a person, or nothing. */
  async function ask(command: string, intent: string | undefined, dir: string) {
    const session = `s-${dir}`
    if (intent) await stage.select(intent, { session })
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: `t-${dir}` }
    const { deny, ask } = await stage.hook(event, { session, cwd: dir })
    if (ask !== undefined) return { code: 'asked', message: ask }
    return deny === undefined ? undefined : (JSON.parse(deny) as { code: string; message: string })
  }

  /** Asks, runs the command for real when it may run, and looks for itself at what has changed outside the scope. */
  async function attempt(command: string, intent: string | undefined): Promise<{ outcome: Outcome; said?: string }> {
    const dir = await place()
    const denied = await ask(command, intent, dir)
    if (denied) return { outcome: 'denied', said: denied.message }
    const before = everything(dir)
    await run('bash', ['-c', command], { cwd: dir, timeoutMs: 20_000 })
    const after = everything(dir)
    const touched = [...new Set([...before.keys(), ...after.keys()])].filter(
      // A new branch or tag takes nothing from anybody.
      (path) => before.get(path) !== after.get(path) && !(NEW_IS_FREE.test(path) && !before.has(path)),
    )
    const { context } = await stage.hook(
      {
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_input: { command },
        tool_response: {},
        tool_use_id: `t-${dir}`,
      },
      { session: `s-${dir}`, cwd: dir },
    )
    await rm(dir, { recursive: true, force: true })
    if (context) return { outcome: 'told', said: context }
    return touched.length > 0 ? { outcome: 'silent', said: touched.join(' ') } : { outcome: 'untouched' }
  }

  return { ...stage, place, ask, attempt }
}

const FREE =
  /^(?:src\/auth\/(?!hard\.ts|link)|dist\/|node_modules\/|[^/]*\.log\.local$|\.orchestration\/agent_trace|\.git\/(?!hooks|config|info\/(?:exclude|attributes|sparse-checkout|grafts)|HEAD$|worktrees\/[^/]+\/gitdir)|vendor\/lib\/\.git\/|\.git$)/

const NEW_IS_FREE = /^(?:ref |\.git\/worktrees\/)/

/** Branches, tags and stashes, wherever git keeps them, but for the branch that commits move. */
function refsOf(root: string): [string, string][] {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n')
  const [here] = git('symbolic-ref', '-q', 'HEAD')
  const refs = git('for-each-ref', '--format=%(refname) %(objectname)').map((line) => line.split(' '))
  return refs.flatMap(([name, oid]): [string, string][] =>
    name && oid && name !== here && name !== 'refs/stash' ? [[`ref ${name}`, oid]] : [],
  )
}

/** Every file of the tree with what it says, links unfollowed; what anybody may write is left out. */
function everything(root: string): Map<string, string> {
  const found = new Map<string, string>(refsOf(root))
  const walk = (folder: string) => {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder ? `${folder}/${name}` : name
      const stat = lstatSync(join(root, path))
      if (stat.isDirectory()) {
        if (!/^\.git\/(?:objects|logs)/.test(path)) walk(path)
      } else if (!FREE.test(path)) {
        found.set(
          path,
          stat.isSymbolicLink()
            ? `-> ${readlinkSync(join(root, path))}`
            : stat.isFile()
              ? `${stat.mode & 0o111 ? 'x' : '-'} ${readFileSync(join(root, path), 'latin1')}`
              : 'special',
        )
      }
    }
  }
  walk('')
  return found
}
