import { describe, expect, it } from 'vitest'
import { parseShell } from '#exec/syntax/shell.ts'
import { readShell } from './reading.ts'

const ON_DISK = new Map([
  ['/repo/README.md', false],
  ['/repo/package.json', false],
  ['/repo/src', true],
])
const read = (command: string) =>
  readShell(command, {
    ...{ parse: parseShell, cwd: '/repo', root: '/repo' },
    isThere: (path) => ON_DISK.has(path),
    isFolder: (path) => ON_DISK.get(path) === true,
  })
const writes = (command: string) => read(command).writes.map(({ path }) => path.replace('/repo/', ''))

describe('a write that is never reached', () => {
  it.each([
    '[ -e nope ] && rm README.md',
    '[[ -e nope || -d neither ]] && rm README.md',
    'if [[ -f package.json && ! -d src ]]; then rm README.md; fi',
    'test -f README.md || echo x > README.md',
    '[[ abc == z* ]] && rm README.md',
    'case README.md in *.ts|*.js) rm README.md;; *) echo other;; esac',
    'os=linux; case $os in linux|darwin) echo unix;; *) rm README.md;; esac',
  ])('%s', (command) => {
    expect(read(command).readOnly).toBe(true)
  })

  it.each([
    '[ -f README.md ] && rm README.md',
    'touch nope && [ -e nope ] && rm README.md nope',
    'make && [ -e nope ] && rm README.md',
    'while true; do [ -f flag ] && rm README.md; touch flag; done',
    'foo && true || rm README.md',
    '[[ -e nope || -e README.md ]] && rm README.md',
    '[[ $x == a* ]] && rm README.md',
    'case $x in a) echo a;; *) rm README.md;; esac',
    'case ab in a*) ;& z) rm README.md;; esac',
    'case ab in [a-c]*) rm README.md;; esac',
  ])('%s is one that may be', (command) => {
    expect(writes(command)).toContain('README.md')
  })
})

describe('what is not there', () => {
  it('cannot be lost, and what a command makes and removes again is no change', () => {
    expect(writes('rm -f old.log')).toEqual([])
    expect(writes('go test -coverprofile=c.out ./...; rm c.out')).toEqual([])
  })

  it.each([
    ['echo x > made.txt; [ -n "$y" ] && rm made.txt', 'made.txt'],
    ['echo x > made.txt || rm made.txt', 'made.txt'],
    ['mv README.md gone.md; rm gone.md', 'README.md'],
    ['echo x > README.md; rm README.md', 'README.md'],
  ])('%s leaves something behind or takes something away', (command, path) => {
    expect(writes(command)).toContain(path)
  })
})

describe('an editor', () => {
  it.each([
    "vim -es -u NONE -i NONE -n -c '%p' -c 'q!' README.md",
    "ex -sc 'g/x/p' -c 'q' README.md",
    "printf ',p\\nq\\n' | ed -s README.md",
    "ed -s README.md <<< ',n'",
  ])('that only shows a file leaves it alone: %s', (command) => {
    expect(read(command).readOnly).toBe(true)
  })

  it.each([
    "vim -es -c '%p|wq' README.md",
    "vim -es -c '%p' -S other.vim README.md",
    "ex -s README.md <<< $'1d\\nx'",
    "printf ',p\\nw\\nq\\n' | ed -s README.md",
  ])('that is told more writes it: %s', (command) => {
    expect(writes(command)).toContain('README.md')
  })
})

describe('inline code', () => {
  it.each([
    `python3 -c "print('open(\\"README.md\\",\\"w\\")')"`,
    "python3 - <<'PY'\n# open('README.md', 'w')\nprint(\"os.remove('README.md')\")\nPY",
    `node -e "console.log('fs.writeFileSync(\\"README.md\\")'.length)"`,
    `node -e "/* fs.rmSync('README.md') */ console.log(1)"`,
    `perl -e 'print "open(F, q(>README.md))"'`,
    `php -r 'var_dump(json_decode(file_get_contents("package.json"), true)["require"]);'`,
  ])('opens nothing by speaking of it: %s', (command) => {
    expect(read(command).readOnly).toBe(true)
  })

  it.each([
    `python3 -c "exec('open(\\"README.md\\",\\"w\\")')"`,
    "python3 - <<'PY'\n# it's\nopen('README.md', 'w')\nPY",
    `node -e "const s=t.replace(/'/g,'');fs.writeFileSync('README.md',s)"`,
    "node -e \"fs['writeFileSync']('README.md',1)\"",
    `php -r 'array_map("unlink", ["README.md"]);'`,
  ])('is not believed where a text may be run, or hides the code: %s', (command) => {
    expect(writes(command)).toContain('README.md')
  })

  it('is trusted with commands that can be read and only look', () => {
    const look = `python3 -c "import subprocess; print(subprocess.check_output(['git','log','-1']))"`
    expect(read(look)).toMatchObject({ writes: [], routine: true })
    expect(read(look.replace("'-1'", 'x')).routine).toBe(false)
  })
})

describe('an awk program', () => {
  it('writes where it prints to, and nowhere by comparing', () => {
    expect(writes(`awk '$1 > "b"' list.txt`)).toEqual([])
    expect(writes(`awk '{ print $1 " -> " $2 }' list.txt`)).toEqual([])
    expect(writes(`awk '{ if ($1 > 5) print $0 > ("out/" $1) }' list.txt`)).toEqual(['out/*'])
  })
})
