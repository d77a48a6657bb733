import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shell } from '../../../test/support/shell.ts'
import { type CallPlace, readToolCall, type ToolReading } from './reading.ts'

const shop = { cwd: '/home/u/shop', root: '/home/u/shop' }
const use = (tool: string, input: Record<string, unknown> = {}, at: CallPlace = shop) =>
  readToolCall({ tool, input, outcome: 'announced' }, at, shell)

const table: [string, Record<string, unknown>, Partial<ToolReading>][] = [
  ['Read', { file_path: '/home/u/shop/src/cart.ts' }, { kind: 'read', files: ['src/cart.ts'], folders: ['src'] }],
  ['Read', { file_path: '/etc/hosts' }, { kind: 'read', files: ['/etc/hosts'], folders: ['/etc'] }],
  ['Read', { file_path: '/home/u/shopping/a.ts' }, { kind: 'read', files: ['/home/u/shopping/a.ts'] }],
  ['Read', { file_path: './src/../README.md' }, { kind: 'read', files: ['README.md'], folders: [] }],
  ['Read', { file_path: '../other/a.ts' }, { kind: 'read', files: ['/home/u/other/a.ts'] }],
  [
    'Write',
    { file_path: '/home/u/shop/src/tax.ts', content: 'export const rate = 0.2\n\nexport const net = 1\n' },
    { kind: 'write', files: ['src/tax.ts'], excerpt: '+export const rate = 0.2\n+export const net = 1' },
  ],
  [
    'Edit',
    { file_path: '/home/u/shop/a.ts', old_string: '  keep()\n  old()', new_string: '  keep()\n  fresh()' },
    { kind: 'edit', files: ['a.ts'], excerpt: '-old()\n+fresh()' },
  ],
  [
    'MultiEdit',
    {
      file_path: 'src/a.ts',
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_string: 'c', new_string: 'd' },
      ],
    },
    { kind: 'edit', files: ['src/a.ts'], excerpt: '-a\n+b\n-c\n+d' },
  ],
  [
    'NotebookEdit',
    { notebook_path: 'nb/x.ipynb', new_source: 'print(1)' },
    { kind: 'edit', files: ['nb/x.ipynb'], excerpt: '+print(1)' },
  ],
  [
    'Grep',
    { pattern: 'total\\(', path: 'src/core' },
    { kind: 'search', query: 'total\\(', files: [], folders: ['src/core'] },
  ],
  ['Grep', { pattern: 'x', path: '/home/u/shop/src/a.ts' }, { kind: 'search', files: ['src/a.ts'] }],
  ['Grep', { pattern: 'x', glob: 'packages/ui/**/*.tsx' }, { kind: 'search', folders: ['packages/ui'] }],
  ['Grep', { pattern: 'x', path: '/home/u/shop' }, { kind: 'search', files: [], folders: [] }],
  ['Glob', { pattern: 'src/**/*.test.ts' }, { kind: 'search', query: 'src/**/*.test.ts', folders: ['src'] }],
  ['Glob', { pattern: '*.md' }, { kind: 'search', query: '*.md', folders: [] }],
  [
    'WebFetch',
    { url: 'https://example.org/doc', prompt: 'What changed?' },
    { kind: 'web', query: 'https://example.org/doc', files: [] },
  ],
  ['WebSearch', { query: 'node 20 streams' }, { kind: 'web', query: 'node 20 streams' }],
  [
    'Agent',
    { description: 'Find usages', prompt: 'Look for x' },
    { kind: 'agent', query: 'Find usages', excerpt: 'Look for x' },
  ],
  ['Task', { description: 'Find usages', prompt: 'Look for x' }, { kind: 'agent' }],
  [
    'TodoWrite',
    { todos: [{ content: 'Fix it' }, { content: 'Test it' }] },
    { kind: 'other', excerpt: 'Fix it\nTest it' },
  ],
  ['TaskCreate', { subject: 'Fix it', description: 'Well' }, { kind: 'other', query: 'Fix it', excerpt: 'Well' }],
  ['TaskList', {}, { kind: 'other', files: [], folders: [] }],
  ['mcp__docs__search', { query: 'tax rules' }, { kind: 'mcp', query: 'tax rules' }],
  [
    'mcp__fs__write_file',
    { path: '/home/u/shop/src/a.ts', content: 'x' },
    { kind: 'write', files: ['src/a.ts'], excerpt: 'x' },
  ],
  ['mcp__fs__open', { uri: 'file:///home/u/shop/b.md' }, { kind: 'mcp', files: ['b.md'] }],
  ['Hologram', { file_path: 'src/h.ts' }, { kind: 'other', files: ['src/h.ts'] }],
  ['Read', { file_path: 7 }, { kind: 'read', files: [] }],
  ['toString', {}, { kind: 'other' }],
]

describe('a tool use tells what it does', () => {
  it.each(table)('%s %j', (name, input, expected) => {
    expect(use(name, input)).toMatchObject(expected)
  })

  it('in a Windows project too', () => {
    const input = { file_path: 'c:\\Users\\u\\shop\\src\\cart.ts' }
    expect(use('Read', input, { cwd: 'C:\\Users\\u\\shop' })).toMatchObject({
      files: ['src/cart.ts'],
      folders: ['src'],
    })
  })

  it('without a known working directory', () => {
    expect(use('Read', { file_path: '/p/./src//a.ts' }, {}).files).toEqual(['/p/src/a.ts'])
    expect(use('Bash', { command: 'cd src && cat a.ts /p/b.ts' }, {}).files).toEqual(['src/a.ts', '/p/b.ts'])
  })

  it('with an excerpt that stays short', () => {
    expect(use('Write', { file_path: 'a', content: 'word '.repeat(10_000) }).excerpt!.length).toBeLessThanOrEqual(260)
  })
})

const commands: [string, string[], string[]?][] = [
  ['cat src/cart.ts', ['src/cart.ts']],
  ['cat ./src/cart.ts /home/u/shop/README.md', ['src/cart.ts', 'README.md']],
  ['npm test', []],
  ['npm run build && node dist/main.js', ['dist/main.js']],
  ['npx vitest run src/core/cart.test.ts 2>&1 | tail -20', ['src/core/cart.test.ts']],
  ['npm install @scope/pkg left-pad@1.3.0', []],
  ['curl -s https://example.org/a.json -o out/a.json', ['out/a.json']],
  ['echo "hello world" > notes.md', ['notes.md']],
  ['echo hi >>logs/today.log 2>/dev/null', ['logs/today.log']],
  ["sed -i 's/old/new/g' src/a.ts", ['src/a.ts']],
  ['grep -rn "foo/bar" src/core --include=*.ts', [], ['src/core']],
  ['rg cart.total packages/web', [], ['packages/web']],
  ['ls -la src', [], ['src']],
  ['cd packages/api && cat index.ts && ls lib', ['packages/api/index.ts'], ['packages/api', 'packages/api/lib']],
  ['git checkout feature/cart', []],
  ['git diff origin/main...HEAD --stat', []],
  ['go test ./cmd/cart/... -v', [], ['cmd/cart']],
  ['git diff main...HEAD -- src/cart.ts', ['src/cart.ts']],
  ['git commit -m "fix cart.ts and tests"', []],
  ['tsc -p tsconfig.json --outDir=build', ['tsconfig.json']],
  ['NODE_ENV=test ./scripts/seed.mjs', ['scripts/seed.mjs']],
  ['make -C tools', []],
  ['cat Makefile .env.local', ['Makefile', '.env.local']],
  ["cat > src/x.ts <<'EOF'\nimport a from './a.ts'\nrm -rf /tmp/x\nEOF\nnode src/x.ts", ['src/x.ts']],
  ['node --version', []],
  // What only a real shell's rules tell.
  ['cat "src/my cart.ts" \'docs/a b.md\'', ['src/my cart.ts', 'docs/a b.md']],
  ['cat src/my\\ cart.ts', ['src/my cart.ts']],
  ['echo "see src/cart.ts for more"', []],
  ['git commit -m "fix src/cart.ts"', []],
  ['node server.js & cat a.ts', ['server.js', 'a.ts']],
  ['cat a.ts|grep x>b.ts', ['a.ts', 'b.ts']],
  ['(cd lib && cat a.ts); cat b.ts', ['lib/a.ts', 'b.ts']],
  ['cd lib; pushd sub; cat a.ts; popd; cat b.ts', ['lib/sub/a.ts', 'lib/b.ts']],
  ['cd "$(git rev-parse --show-toplevel)/lib" && cat a.ts', ['lib/a.ts']],
  ['cd "$SOMEWHERE" && cat a.ts', ['a.ts']],
  ['git -C lib log -- a.ts', ['lib/a.ts']],
  ['sudo -u me cat a.ts', ['a.ts']],
  ['env -u X A=1 timeout 5 nice cat a.ts', ['a.ts']],
  ['A=1 B="src/b.ts c" cat a.ts', ['a.ts']],
  ['ls *.ts | xargs -n 1 wc -l', []],
  ['echo a.ts b.ts | xargs cat', ['a.ts', 'b.ts']],
  ["find src -name '*.ts' -exec grep -l total {} +", [], ['src']],
  ['bash -c "cd lib && cat a.ts"', ['lib/a.ts']],
  ['for f in a b; do cat "src/$f.ts"; done', ['src/a.ts', 'src/b.ts']],
  ['d=src; cat $d/a.ts', ['src/a.ts']],
  ['diff <(sort a.txt) b.txt', ['a.txt', 'b.txt']],
  ['while read -r l; do echo "$l"; done < list.txt', ['list.txt']],
  ["python3 - <<'EOF'\nopen('x.py')\nEOF\ncat y.py", ['y.py']],
  ['cat <<< "src/a.ts"', []],
  ['cat ~/shop/src/a.ts', ['src/a.ts']],
  ['cat "C:\\Users\\u\\a.ts"', ['C:/Users/u/a.ts']],
  ['cat "src/app/[id]/page.tsx" app/[id]/page.tsx', ['src/app/[id]/page.tsx', 'app/[id]/page.tsx']],
  ['if test -f a.ts; then cat a.ts; else cat b.ts; fi', ['a.ts', 'b.ts']],
  ['cat "unfinished', []],
  ['pip install requests==2.31.0', []],
  ['', []],
]

describe('a shell command tells where it works', () => {
  it.each(commands)('%s', (command, files, folders) => {
    const action = use('Bash', { command })
    expect(action).toMatchObject({ kind: 'bash', files })
    if (folders) expect(action.folders).toEqual(expect.arrayContaining(folders))
  })

  it('never throws and never names an empty path, whatever the command', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('cd', 'ls', '..', '/', '&&', '<<EOF', '"', "'", '>', 'src/a.ts', '\n'),
    )
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const { files, folders } = use('Bash', { command: words.join(' ') })
        return [...files, ...folders].every((path) => path !== '' && !path.includes('\\'))
      }),
    )
  })
})

const removals: [string, string[] | undefined][] = [
  ['rm -rf src/billing', ['src/billing']],
  ['rm -rf "src/old billing" src/tax.ts', ['src/old billing', 'src/tax.ts']],
  ['rm -rf /home/u/shop/src/billing/ 2> /dev/null', ['src/billing']],
  ['cd src && rm -rf billing/*', ['src/billing']],
  ['(cd src/billing && rm -rf *)', ['src/billing']],
  ['rm -rf ./*', ['.']],
  ['rm src/billing/*.js', ['src/billing/*.js']],
  ['git rm -r --cached -- src/billing', ['src/billing']],
  ['git -C src mv billing payments', ['src/billing', 'src/payments']],
  ['sudo mv src/billing /home/u/old', ['src/billing', '/home/u/old']],
  ['git clean -fd src/billing', ['src/billing']],
  ['find src/billing -type f -delete', ['src/billing']],
  ["find src -name '*.orig' -exec rm {} +", ['src/*']],
  ['npm test && rm -rf src/build', ['src/build']],
  ['rm -rf src/{old,older}', ['src/old', 'src/older']],
  ['for d in a b; do rm -rf "src/$d"; done', ['src/a', 'src/b']],
  ['echo src/billing | xargs rm -r', ['src/billing']],
  ['bash -c "rm -rf src/billing" &', ['src/billing']],
  ['mv src/tax.ts src/billing/', ['src/tax.ts', 'src/billing/tax.ts']],
  ['cp -r src/billing src/payments', undefined],
  // Nobody's work, or nobody knows what.
  ['rm -rf node_modules dist packages/web/build .next/cache npm-debug.log', undefined],
  ['cd /tmp && rm -rf try && mkdir try', undefined],
  ['rm -rf "$OLD" `cat list` "src/$X"', undefined],
  ["find . -name '*.ts' -delete", undefined],
  ['git clean -nd src', undefined],
  ['git checkout -- src/billing', undefined],
  ['git commit -m "rm -rf src/billing"', undefined],
  ['ls src/billing; find src/billing', undefined],
]

describe('a shell command tells what it takes away', () => {
  it.each(removals)('%s', (command, removes) => {
    expect(use('Bash', { command }).removes).toEqual(removes)
  })

  it('and that counts as where it works', () => {
    expect(use('Bash', { command: 'git rm -r src/billing' }).folders).toEqual(['src/billing'])
  })
})

const effects: [string, Record<string, unknown>, object][] = [
  ['Read', { file_path: 'a.ts' }, { readsOnly: true, effect: { kind: 'none' } }],
  ['Agent', { prompt: 'Edit a.ts' }, { readsOnly: true, effect: { kind: 'none' } }],
  ['mcp__grove__reflect', {}, { readsOnly: true, effect: { kind: 'none' } }],
  ['mcp__plugin_grove_grove__reflect', {}, { readsOnly: true, effect: { kind: 'none' } }],
  ['Write', { file_path: '/x/a.ts' }, { readsOnly: false, effect: { kind: 'files', paths: ['/x/a.ts'] } }],
  ['NotebookEdit', { notebook_path: 'a.ipynb' }, { effect: { kind: 'files', paths: ['a.ipynb'] } }],
  ['Bash', { command: 'ls | head' }, { readsOnly: true, effect: { kind: 'shell', inBackground: false } }],
  ['Bash', { command: 'make', run_in_background: true }, { readsOnly: false, effect: { inBackground: true } }],
  ['Monitor', { command: 'tail -f log' }, { readsOnly: true, effect: { kind: 'shell', inBackground: true } }],
  ['Bash', { command: 7 }, { readsOnly: false, effect: { kind: 'unknown', paths: [] } }],
  ['PowerShell', { command: 'Remove-Item a' }, { kind: 'bash', readsOnly: false, effect: { kind: 'unknown' } }],
  [
    'PowerShell',
    { command: 'cd C:\\shop; git push -f' },
    { invocations: [{}, { program: 'git', args: ['push', '-f'] }] },
  ],
  ['Bash', { command: 'sudo npm test' }, { invocations: [{ program: 'npm', args: ['test'] }] }],
  ['Read', { file_path: 'a.ts' }, { invocations: [] }],
  ['mcp__fs__writeFile', { filePath: 'a.ts' }, { kind: 'write', effect: { kind: 'unknown', paths: ['a.ts'] } }],
  ['mcp__fs__edit_all', { edits: [{ path: 'a' }, { path: 'b' }] }, { effect: { paths: ['a', 'b'] } }],
  ['mcp__fs__move', { source: 'src/a', destination: 'src/b' }, { kind: 'write', removes: ['src/a', 'src/b'] }],
  ['mcp__fs__list_files', { path: 'a.ts' }, { kind: 'mcp', effect: { kind: 'unknown', paths: [] } }],
  ['Hologram', { path: 'a.ts' }, { readsOnly: false, effect: { kind: 'unknown', paths: [] } }],
]

describe('a call tells what it changes', () => {
  it.each(effects)('%s %j', (name, input, expected) => {
    expect(use(name, input)).toMatchObject(expected)
  })

  it.each(['announced', 'ran', 'failed', 'denied'] as const)('and that it was %s', (outcome) => {
    expect(readToolCall({ tool: 'Read', input: {}, outcome }, shop, shell).outcome).toBe(outcome)
  })

  it('without a shell where there is no command line', () => {
    const noShell = () => expect.unreachable('no command line, no shell')
    for (const tool of ['Read', 'Write', 'Grep', 'Agent', 'mcp__a__b']) {
      readToolCall({ tool, input: { file_path: 'a.ts', command: 'ls' }, outcome: 'ran' }, shop, noShell)
    }
  })
})

describe('a secret in a call', () => {
  const password = 'Tr0ub4dor/hunter.ts'

  it('is in nothing that is kept, even where it looks like a path', () => {
    const command = `PGPASSWORD='${password}' psql -f db/seed.sql && curl -u admin:${password} https://x.example`
    const { effect, ...kept } = use('Bash', { command })
    expect(JSON.stringify(kept)).not.toContain('hunter')
    expect(kept.files).toEqual(['db/seed.sql'])
    expect(effect).toMatchObject({ kind: 'shell', command })
  })
})
