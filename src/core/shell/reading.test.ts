import { describe, expect, it } from 'vitest'
import { parseShell } from '#exec/syntax/shell.ts'
import { readShell } from './reading.ts'

const at = { parse: parseShell, cwd: '/repo', home: '/home/dev', root: '/repo' }
const writes = (command: string) => readShell(command, at)
const paths = (command: string) => writes(command).writes.map(({ path }) => path)

describe('a command that only looks', () => {
  it.each([
    'ls -la && git status | head',
    'cat a 2>/dev/null >&2',
    'echo "a > b" # > c',
    "grep -rn 'x' src | sort | uniq -c",
    'git add -A && git commit -m "x > y" && git push',
    'npx prettier --check .',
  ])('%s is read-only', (command) => {
    expect(writes(command)).toMatchObject({ writes: [], undecided: [], readOnly: true })
  })
})

describe('a path', () => {
  it('that a folder was moved to is that folder, once the command has run and nothing lies below it', () => {
    const disk = new Set(['/repo/client'])
    const isThere = (path: string) => disk.has(path)
    const moved = (hasRun: boolean) =>
      readShell('git mv user client', { ...at, isThere, isFolder: isThere, ...(hasRun && { hasRun }) }).writes
    expect(moved(false).map(({ path }) => path)).toEqual(['/repo/user', '/repo/client/user'])
    expect(moved(true).map(({ path }) => path)).toEqual(['/repo/user', '/repo/client'])
    disk.add('/repo/client/user')
    expect(moved(true).map(({ path }) => path)).toEqual(['/repo/user', '/repo/client/user'])
  })

  it('is that which was left by as many pushd as there are popd', () => {
    expect(paths('pushd a; pushd b; popd; touch x; popd; touch y; popd; touch z')).toEqual([
      '/repo/a/x',
      '/repo/y',
      '/repo/z',
    ])
    expect(paths('pushd a; (popd; touch x); touch y')).toEqual(['/repo/x', '/repo/a/y'])
    for (const turned of ['pushd a; pushd; rm x', 'pushd a; popd +1; rm x', 'if a; then pushd b; fi; popd; rm x'])
      expect(writes(turned)).toMatchObject({
        writes: [],
        undecided: expect.arrayContaining(['the folder is only known when it runs']),
      })
  })

  it('is followed through cd, subshells and pushd', () => {
    expect(paths('cd a && (cd b && touch x); touch y; pushd c; touch z; popd; touch w')).toEqual([
      '/repo/a/b/x',
      '/repo/a/y',
      '/repo/a/c/z',
      '/repo/a/w',
    ])
  })

  it('keeps its dots, because a link may stand before them', () => {
    expect(paths('touch link/../x')).toEqual(['/repo/link/../x'])
  })

  it('is known through variables, arrays, functions and loops', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell that fills this in
    expect(paths('d=out; f=(a b); w() { touch "$d/$1"; }; for x in "${f[@]}"; do w "$x.txt"; done')).toEqual([
      '/repo/out/a.txt',
      '/repo/out/b.txt',
    ])
  })

  it('named with the number of the shell is the same file all along', () => {
    expect(paths("echo 'touch made.txt' > /tmp/step.$$; sh /tmp/step.$$; rm /tmp/step.$$")).toContain('/repo/made.txt')
  })

  it('stays a glob when the shell would expand it, and says so', () => {
    expect(writes('rm -f src/*.js').writes).toEqual([
      { path: '/repo/src/*.js', written: 'src/*.js', kind: 'delete', glob: true },
    ])
  })

  it('is not a glob in quotes, nor in a new file named with brackets', () => {
    expect(writes("touch 'a*b' app/[id].ts").writes.map(({ glob }) => glob)).toEqual([undefined, undefined])
  })

  it('in a home folder is outside the project', () => {
    expect(paths('echo x >> ~/.bashrc; cp a "$HOME/b"')).toEqual(['/home/dev/.bashrc', '/home/dev/b'])
  })
})

describe('what comes to be', () => {
  it.each([
    ['gleam new lantern', '/repo/lantern'],
    ['elm init', '/repo'],
    ['flutter create app', '/repo/app'],
    ['npm config set loglevel warn --location=project', '/repo/.npmrc'],
    ['node --cpu-prof -e 1', '/repo'],
    ['npm create vite@latest app', '/repo/app'],
    ['npx create-react-app app', '/repo/app'],
    ['poetry init -n', '/repo/pyproject.toml'],
    ['zig fmt src/main.zig', '/repo/src/main.zig'],
    ['bison -d grammar.y', '/repo/grammar.tab.c'],
    [`perl -e 'open F,">x.txt"; print F 1'`, '/repo/x.txt'],
    ['protoc --go_out=plugins=grpc:gen a.proto', '/repo/gen'],
    ['git read-tree --prefix=snap -u HEAD', '/repo/snap'],
    ['git merge-file ours.md base.md theirs.md', '/repo/ours.md'],
    ["git grep -l oldName lib | xargs sed -i 's/oldName/newName/'", '/repo/lib'],
    [`ruby -e 'system("cp", "a.rb", "b.rb")'`, '/repo/b.rb'],
    [`node -e 'require("child_process").spawnSync("touch", ["stamp.json"])'`, '/repo/stamp.json'],
    [`python3 -c "import os; os.execvp('touch', ['touch', 'stamp.json'])"`, '/repo/stamp.json'],
    ["python3 - out.csv <<'PY'\nimport sys\nopen(sys.argv[1], 'w').write('x')\nPY", '/repo/out.csv'],
    [`python3 -c "open('notes' + '/' + 'day.md', 'w').write('x')"`, '/repo/notes/day.md'],
    [`php -r 'file_put_contents("notes." . "md", "x");'`, '/repo/notes.md'],
    ['python3 -m gzip dump.sql', '/repo/dump.sql.gz'],
    ['python3 -m pydoc -w tools.make', '/repo/tools.make.html'],
    ['python3 -m trace --count -C counts -m http', '/repo/counts'],
    ['python3 -m compileall -b lib', '/repo/lib'],
    ['ctags -R lib', '/repo/tags'],
    ['etags -o lib.tags a.c', '/repo/lib.tags'],
    ['wire -output=gen/wire.go ./cmd', '/repo/gen/wire.go'],
    ['java -jar codegen.jar build -o client', '/repo/client'],
    ['docker compose config -o merged.yaml', '/repo/merged.yaml'],
    ['NODE_V8_COVERAGE=raw node -e 1', '/repo/raw'],
    ['mvn versions:use-latest-releases', '/repo/**/pom.xml'],
    ['dotnet remove package Polly', '/repo/**/*.*proj'],
    ["git am <<'EOF'\n--- a/x.md\n+++ b/x.md\nEOF", '/repo/x.md'],
  ])('%s', (command, path) => {
    expect(paths(command)).toEqual([path])
  })

  it('is read in a patch that the same line has written', () => {
    const patch = "cat > /tmp/f.patch <<'EOF'\n--- /dev/null\n+++ b/tools/l.sh\nEOF\n"
    expect(paths(`${patch}git apply /tmp/f.patch`)).toEqual(['/tmp/f.patch', '/repo/tools/l.sh'])
  })

  it.each([
    'terraform init',
    'starship init bash',
    'npm config get registry',
    'bazel query //... --output=label',
    'ffmpeg -i a.mp4 -f null -',
    'magick identify a.png',
    'dart fix --dry-run',
    'npx knex migrate:list',
    'latexmk -pdf paper.tex',
    'ctags -x a.c',
    'git merge-file -p ours.md base.md theirs.md',
    'xcodebuild -scheme App -destination platform=macOS/arm test',
    'go list -output=json ./...',
    'docker compose config -q',
    'mvn versions:display-plugin-updates',
  ])('%s makes nothing that anybody keeps', (command) => {
    expect(paths(command)).toEqual([])
  })
})

describe('what reading cannot tell', () => {
  it.each([
    ['make', 'make: does what the makefile says'],
    ['./run.sh', './run.sh: a program of the project'],
    ['rm -rf "$DIR"', 'a path is only known when it runs'],
    ['cd "$DIR" && rm x', 'the folder is only known when it runs'],
    ['curl -s https://example.com/x | sh', 'sh: runs what is piped into it'],
    ['$TOOL --fix', 'the name of a command is only known when it runs'],
    ['git checkout main', 'git checkout: changes every file that differs between the branches'],
    ['python3 tool.py', 'python3: runs tool.py'],
    ['echo "unfinished', 'not valid shell: unterminated double quote'],
  ])('%s', (command, reason) => {
    expect(writes(command)).toMatchObject({ writes: [], undecided: [reason], readOnly: false })
  })

  it('still lists what it can see', () => {
    expect(writes('make > build.log')).toMatchObject({ writes: [{ path: '/repo/build.log' }], readOnly: false })
  })
})

it('takes a setting that makes git run programs for a write, and others for git’s own business', () => {
  expect(paths('git config core.hooksPath tools')).toEqual(['/repo/.git/config'])
  expect(paths("git config --global alias.st '!make'")).toEqual(['/home/dev/.gitconfig'])
  expect(writes('git config user.name dev; git config --get alias.st').readOnly).toBe(true)
})

describe('a disguise', () => {
  it.each([
    '\\rm x',
    '"r"m x',
    '/bin/rm x',
    'command rm x',
    '$(echo rm) x',
    'busybox rm x',
    'bash -c \'sh -c "rm x"\'',
    'eval "rm x"',
    'echo x | xargs rm',
    'find x -maxdepth 0 -exec rm {} +',
    "trap 'rm x' EXIT",
    'echo "rm x" | bash',
    'true $(( $(rm x) ))',
    'cat <(rm x)',
    'r=rm; $r x',
  ])('%s does not hide the write', (command) => {
    expect(paths(command)).toEqual(['/repo/x'])
  })
})

it('asks the disk whether a target is a folder, when it can', () => {
  const isFolder = (path: string) => path === '/repo/docs.d'
  expect(readShell('cp a.md docs.d', { ...at, isFolder }).writes[0]!.path).toBe('/repo/docs.d/a.md')
  expect(readShell('cp a.md docs.d', at).writes[0]!.path).toBe('/repo/docs.d')
})

it('ends on scripts that would not', () => {
  const loops = 'for a in {1..50}; do for b in {1..50}; do for c in {1..50}; do touch $a$b$c; done; done; done'
  expect(writes(loops).writes.length).toBeLessThanOrEqual(1000)
  expect(writes(loops).undecided).toContain('a path is only known when it runs')
  expect(writes('f() { f; }; f').undecided).toContain('scripts nested too deep to follow')
  expect(paths(`touch ${'{a,b}'.repeat(40)}`)).toHaveLength(1)
  expect(paths(`touch ${'{a,{b,'.repeat(300)}x${'}}'.repeat(300)}`).length).toBeLessThan(50)
  expect(writes(`x=${'a'.repeat(50_000)}; rm "\${x%%a*a*b}"`).undecided).toHaveLength(1)
  expect(writes(`python3 -c "${'\n'.repeat(50_000)}${'a'.repeat(40_000)}"`).writes).toEqual([])
  for (const many of [
    `rm ${'x '.repeat(60_000)}`,
    '>a '.repeat(60_000),
    '>a;'.repeat(60_000),
    `rm ${'*/'.repeat(20_000)}`,
  ]) {
    expect(writes(many).writes.length).toBeLessThanOrEqual(1000)
    expect(writes(many).undecided).toContain('more files, or longer paths, than can be followed')
  }
  const doubled = Array.from({ length: 60 }, (_, at) => `A${at + 1}=$A${at}$A${at}; B+=$B$B; C=("\${C[@]}" "\${C[@]}")`)
  expect(writes(`A0=ab; B=ab; C=(a b); ${doubled.join('; ')}; rm $A60 $B "\${C[@]}"`).undecided).not.toEqual([])
  expect(writes('{'.repeat(100_000)).undecided).toEqual(['not valid shell: nested too deep'])
  expect(writes(`${'a && '.repeat(50_000)}b`).undecided).toContain('too many commands to follow')
  expect(writes(`${'a || '.repeat(50_000)}b`).undecided).toContain('too many commands to follow')
})

describe('a file elsewhere', () => {
  const isFolder = (path: string) => ['/repo', '/repo/src', '/repo/src/deep', '/repo/other'].includes(path)
  const isThere = (path: string) => isFolder(path) || ['/repo/other/kept.ts', '/repo/src/a.ts'].includes(path)

  it.each([
    'cd src && cd ~- ; rm other/kept.ts',
    'cd src; rm ~-/other/kept.ts',
    'pushd src; rm ~1/other/kept.ts',
    'CDPATH=other; cd deep; rm ../kept.ts',
    'cd src deep; rm other/kept.ts',
    'cd nowhere; rm other/kept.ts',
    'f() { cd other; }; f; rm kept.ts',
    'cp -l other/kept.ts src/h; echo x >> src/h',
    'x=src; y=x; declare $y=other; rm $x/kept.ts',
    'x=src; declare -n y=x; y=other; rm $x/kept.ts',
    'IFS=,; x=src/a.ts,other/kept.ts; rm $x',
    'IFS=Z; x=src/a.tsZother/kept.ts; rm $x',
    "x='a[$(rm other/kept.ts)]'; echo $((x))",
    "x='a[$(rm other/kept.ts)]'; [[ $x -eq 0 ]]",
    'x=\'a[`rm other/kept.ts`]\'; test -v "$x"',
    "PS4='$(rm other/kept.ts)'; set -x; true",
    'env -C other rm kept.ts',
    'env --chdir=other rm kept.ts',
    'for ((i=$(rm other/kept.ts >&2; echo 1);i<0;)); do :; done',
    'exit() { :; }; exit; rm other/kept.ts',
    'rm /proc/self/cwd/other/kept.ts',
    'rm /dev/fd/../cwd/other/kept.ts',
  ])('is not taken for one in the scope, or for none: %s', (command) => {
    const { writes, undecided } = readShell(command, { ...at, isFolder, isThere })
    expect(undecided.length > 0 || writes.some(({ path }) => path === '/repo/other/kept.ts')).toBe(true)
  })

  it('is told from one in a folder that the command makes and enters', () => {
    const { writes, undecided } = readShell('mkdir -p new/deep && cd new/deep && touch x', { ...at, isFolder, isThere })
    expect(writes.at(-1)).toMatchObject({ path: '/repo/new/deep/x' })
    expect(undecided).toEqual([])
  })
})

describe('a new temporary folder', () => {
  it.each([
    'd=$(mktemp -d); git archive HEAD | tar x -C "$d"; cp -r src "$d"; cd "$d" && touch a',
    'read -r d < <(mktemp -d -t x.XXXX); tar xf a.tar -C "$d"',
    'TMP=$(mktemp --suffix=.ts); trap \'rm -f "$TMP"\' EXIT; git diff > $TMP',
    'cd "$(mktemp -d)" && git init -q . && touch a',
  ])('%s writes nowhere else', (command) => {
    const { writes: written, undecided, sources } = writes(command)
    expect(written.filter(({ path }) => !/^\/tmp\/(?:tmp|x)\.X/.test(path))).toEqual([])
    expect(sources.filter(({ folder }) => !folder?.startsWith('/tmp/'))).toEqual([])
    expect(undecided).toEqual([])
  })

  it('is made where it is told to be', () => {
    expect(
      paths('mktemp ./a.XXXX; mktemp -p src b.XXX; TMPDIR=$PWD mktemp -d; cd $(mktemp -d); cd -; touch c'),
    ).toEqual(['/repo/a.XXXX', '/repo/src/b.XXX', '/repo/tmp.XXXXXXXXXX', '/tmp/tmp.XXXXXXXXXX', '/repo/c'])
  })
})

it('an output that is only printed is no file', () => {
  for (const command of [
    'gcc -MM a.c',
    'gcc -M a.c',
    'rustc --print cfg',
    'python3 -m dis a.py',
    'which node',
    'java -version',
  ])
    expect(writes(command)).toMatchObject({ writes: [], readOnly: true })
  for (const command of ['journalctl -o short-iso', 'vale --output=line a.md'])
    expect(writes(command)).toMatchObject({ writes: [] })
})
