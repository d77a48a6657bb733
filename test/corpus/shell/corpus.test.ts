import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readShell } from '#core/shell/reading.ts'
import { parseShell } from '#exec/syntax/shell.ts'
import { BREADTH, DEVELOPMENT, HOLDOUT, scoreShell, shellCases } from './measure.ts'

describe.each([DEVELOPMENT, HOLDOUT, BREADTH])('the commands of %s', (file) => {
  it('have their written paths found, and no others', () => {
    const cases = shellCases(import.meta.dirname, file)
    const score = scoreShell(cases)
    expect(cases.length).toBeGreaterThan(100)
    expect({ ...score, precision: score.precision >= 0.95, recall: score.recall >= 0.95 }).toMatchObject({
      precision: true,
      recall: true,
    })
    expect(score.agreement).toBeGreaterThanOrEqual(0.95)
  })
})

it('never throws and always ends, whatever the text', () => {
  const pieces = fc.constantFrom(
    'rm',
    'x',
    '>',
    '>>',
    '|',
    '&&',
    '$(',
    ')',
    '{',
    '}',
    '`',
    "'",
    '"',
    '<<EOF\n',
    'EOF\n',
    '$x',
    '${',
    '*',
    '[',
    ';',
    'for',
    'in',
    'do',
    'done',
    'if',
    'case',
    'esac',
    'sed -i',
    'find',
    '-exec',
    'xargs',
    '\\',
    '\n',
    '((',
    '\u0000',
    '~',
    '!',
    'git',
    'python -c',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(texts, (command) => {
      const { writes, undecided, readOnly } = readShell(command, { parse: parseShell, cwd: '/repo' })
      expect(readOnly).toBe(writes.length + undecided.length === 0)
    }),
    { numRuns: 2000, seed: 11 },
  )
})

describe('a real shell', () => {
  it('changes nothing that was not foretold', () => {
    const name = fc.constantFrom('a.txt', 'b.txt', 'sub/c.txt', 'sub', 'new.txt', 'sub/new', 'sub/deep/x')
    const simple = fc.oneof(
      fc
        .tuple(
          fc.constantFrom(
            'echo hi >',
            'echo hi >>',
            'touch',
            'rm -f',
            'rm -rf',
            'mkdir -p',
            'chmod 600',
            "sed -i 's/a/b/'",
            "sed -i.bak 's/a/b/'",
            'gzip -f',
            'truncate -s 1',
            'tee -a </dev/null',
            'ln -sf a.txt',
            "perl -pi -e 's/a/b/'",
            'sort -o',
            'cat a.txt >|',
          ),
          name,
        )
        .map((words) => words.join(' ')),
      fc
        .tuple(fc.constantFrom('cp', 'mv', 'cp -r', 'mv -f', 'cp -t sub', 'install -m 600', 'ln -f'), name, name)
        .map((words) => words.join(' ')),
      fc.constantFrom(
        'touch {p,q}.log',
        'rm -f *.txt',
        'find . -name "*.txt" -exec sed -i s/a/z/ {} +',
        'find sub -type f -delete',
        'ls *.txt | xargs rm',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell that fills this in
        'for f in *.txt; do mv "$f" "${f%.txt}.md"; done',
        '{ n=sub/v; echo 1 > "$n.txt"; }',
        'cat > here.txt <<EOF\nx\nEOF',
        'tar cf all.tar a.txt',
        'dd if=a.txt of=d.bin',
        "python3 -c \"open('py.txt','w').write('x')\"",
      ),
    )
    const command: fc.Memo<string> = fc.memo((depth) => {
      if (depth <= 1) return simple
      const inner = command()
      return fc.oneof(
        simple,
        fc.tuple(inner, fc.constantFrom('&&', ';', '||'), inner).map((parts) => parts.join(' ')),
        inner.map((body) => `(cd sub && ${body})`),
        inner.map((body) => `{ ${body}\n}`),
        inner.map((body) => `if true; then ${body}\nfi`),
        inner.map((body) => `for i in 1 2; do ${body}\ndone`),
        inner.map((body) => `f() { ${body}\n}; f`),
        inner.map((body) => `bash <<'OUT'\n${body}\nOUT`),
      )
    })
    fc.assert(
      fc.property(command(3), (text) => {
        const root = realpathSync(mkdtempSync(join(tmpdir(), 'grove-shell-')))
        try {
          mkdirSync(join(root, 'sub'))
          for (const file of ['a.txt', 'b.txt', 'sub/c.txt']) writeFileSync(join(root, file), 'a\n')
          const before = snapshot(root)
          const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
          const { writes, undecided } = readShell(text, { parse: parseShell, cwd: root, isFolder })
          spawnSync('bash', ['-c', text], { cwd: root, stdio: 'ignore', timeout: 20_000 })
          const after = snapshot(root)
          const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
            (path) => before.get(path) !== after.get(path),
          )
          const unforeseen =
            undecided.length > 0 ? [] : changed.filter((path) => !writes.some((write) => covers(write, path)))
          expect(unforeseen).toEqual([])
        } finally {
          rmSync(root, { recursive: true, force: true })
        }
      }),
      { numRuns: 150, seed: 11 },
    )
  })
})

function snapshot(root: string): Map<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return new Map(
    paths.map((path) => {
      const full = join(root, path)
      const stat = lstatSync(full)
      return [full, stat.isFile() ? `${stat.mode} ${readFileSync(full, 'latin1')}` : 'folder or link']
    }),
  )
}

function covers(write: { path: string; glob?: true; tree?: true; folder?: true }, path: string): boolean {
  const pattern = write.path
    .replace(/\/+$/, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'))
  // `mkdir -p a/b` makes `a` on its way.
  const isParent = write.folder && write.path.startsWith(`${path}/`)
  return isParent || new RegExp(`^${pattern}${write.tree ? '(/.*)?' : ''}$`).test(path)
}
