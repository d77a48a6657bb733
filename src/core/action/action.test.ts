import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Action, actionOf } from './action.ts'

const cwd = '/home/u/shop'
const use = (name: string, input: Record<string, unknown> = {}, where: string | undefined = cwd) =>
  actionOf({ id: 'toolu_1', name, input }, where)

const table: [string, Record<string, unknown>, Partial<Action>][] = [
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
    { kind: 'mcp', files: ['src/a.ts'], excerpt: 'x' },
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
    expect(use('Read', input, 'C:\\Users\\u\\shop')).toMatchObject({ files: ['src/cart.ts'], folders: ['src'] })
  })

  it('without a known working directory', () => {
    const read = actionOf({ id: 't', name: 'Read', input: { file_path: '/p/./src//a.ts' } })
    expect(read.files).toEqual(['/p/src/a.ts'])
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
  // Nobody's work, or nobody knows what.
  ['rm -rf node_modules dist packages/web/build .next/cache npm-debug.log', undefined],
  ['cd /tmp && rm -rf try && mkdir try', undefined],
  ['rm -rf "$OLD" `cat list` {a,b}', undefined],
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
