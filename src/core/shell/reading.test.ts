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

describe('inline code', () => {
  const codes: [string, string[]][] = [
    [
      'python3',
      [
        "from os import rename; rename('a', 'b')",
        "import os; os.open('a', os.O_WRONLY)",
        "f = open; f('a', 'w')",
        "from shutil import copy as c; c('a', 'b')",
        "import os; getattr(os, 'remove')('a')",
        "from pathlib import Path; (Path('a') / 'b').write_text('x')",
        "from pathlib import Path; Path('a').replace('b')",
        "import shutil as s; s.rmtree('a')",
        "import os, glob; list(map(os.remove, glob.glob('a*')))",
        "import io; io.FileIO('a', 'w')",
        `print(f"{open('a', 'w').write('x')}")`,
        'import helper',
      ],
    ],
    [
      'node',
      [
        "const { writeFileSync: w } = require('fs'); w('a', '')",
        "const { rm } = require('fs/promises'); rm('a')",
        "require('fs')['write' + 'FileSync']('a', '')",
        "require('fs').openSync('a', 'w')",
        "const r = require; r('fs').rmSync('a')",
        "import('fs').then((fs) => fs.writeFileSync(x, ''))",
        "require('./generate')",
        "require('prettier')",
      ],
    ],
    ['ruby', ["open('a', 'w') { |f| f.puts 1 }", "File.send(:write, 'a', 'x')", "Dir.mkdir('a')", 'load "a.rb"']],
    [
      'perl',
      [
        "sysopen(F, 'a', 1)",
        "open my $o, '>', 'a'",
        "open my $o, '+<', 'a'",
        "truncate('a', 0)",
        "IO::File->new('a', 'w')",
        "require './a.pl'",
      ],
    ],
    ['php', ["symlink('a', 'b');", "new SplFileObject('a', 'w');", 'call_user_func($f, 1);', "require_once 'a.php';"]],
  ]
  const inQuotes: Record<string, string> = { perl: '-e', php: '-r' }
  const run = (program: string, code: string) =>
    inQuotes[program]
      ? `${program} ${inQuotes[program]} '${code.replaceAll("'", '"')}'`
      : `${program} <<'END'\n${code}\nEND`

  it.each(codes.flatMap(([program, all]) => all.map((code) => [program, code])))(
    'is not taken for reading only: %s %s',
    (program, code) => {
      expect(writes(run(program!, code!)).readOnly).toBe(false)
    },
  )

  it.each([
    ["perl - <<'END'\nopen(my $out, '>', 'a.txt'); print $out 1;\nEND", 'a.txt'],
    ["source /dev/stdin <<< 'touch b.txt'", 'b.txt'],
    [`python3 -c 'import pathlib; [p.unlink() for p in pathlib.Path().glob("*.tmp")]'`, '*.tmp'],
  ])('is read where it stands: %s', (command, path) => {
    expect(paths(command)).toContain(`/repo/${path}`)
  })

  it.each([
    ['python3', "import json, sys\nd = json.load(open('a.json'))\nprint(sorted(d['x']), len(d))  # don't write()"],
    ['python3', "import os, re\nfor f in os.listdir('.'):\n    print(re.sub('a', 'b', f).replace('x', 'y'))"],
    ['node', "const fs = require('fs'); console.log(JSON.parse(fs.readFileSync('a', 'utf8')).map((x) => x.id).join())"],
    ['node', "console.log(require('./package.json').version)"],
    ['ruby', "require 'json'; puts JSON.parse(File.read('a'))['x'].map { |x| x.upcase }"],
    ['perl', 'while (<>) { print if /x/ }'],
    ['perl', 'open my $in, "<", "a" or die; print scalar(() = <$in>)'],
    ['php', "echo json_encode(array_map(fn($x) => strtolower($x), explode(',', file_get_contents('a'))));"],
  ])('that only looks needs no intent: %s %s', (program, code) => {
    expect(writes(run(program, code))).toMatchObject({ writes: [], undecided: [], readOnly: true })
  })
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

describe('work that multiplies', () => {
  const large = `a=x; ${'a=$a$a;'.repeat(20)}`
  it.each([
    ['nested loops without commands', `${'for i in {1..50}; do '.repeat(5)}a=$i; ${'done;'.repeat(5)}`],
    ['a long text that is copied', `${large}${'b=$a;'.repeat(40_000)}`],
    ['a long text that is changed', large + `b=\${a//x/y};`.repeat(18_000)],
    ['a long text that is compared', `${large}${'[[ $a == *x*y* ]];'.repeat(10_000)}`],
    ['many variables in many shells', `${'v$((i++))=1;'.repeat(5)}${variables(8000)}${'(a=1);'.repeat(10_000)}`],
    ['many variables on many ways', `${variables(8000)}${'if a; then b=1; fi;'.repeat(6000)}`],
    ['arguments in arguments', `set -- ${'a '.repeat(20_000)}; for x; do for y; do for z; do b=$z; done; done; done`],
  ])('is not followed to its end: %s', (_, command) => {
    expect(writes(command).undecided).toContain('too much to follow')
  })

  it('is not done in operands that hold operands', () => {
    const nested = (begin: string, depth: number) => `${begin.repeat(depth)}x${'}'.repeat(depth)}`
    expect(paths(`rm ${nested(`\${a:-`, 60)}`)).toEqual(['/repo/x'])
    expect(writes(`a=({1..10}); rm ${nested(`\${a[@]/x/`, 60)}`).writes).not.toEqual([])
  })

  it('leaves nothing behind it unread, where it is a loop', () => {
    for (const loop of ['for a in {1..3000}; do :; done', 'for a in {1..60}; do for b in {1..60}; do :; done; done'])
      expect(readShell(`${loop}; rm src/x.ts`, at)).toMatchObject({
        isUnread: false,
        writes: [{ path: '/repo/src/x.ts' }],
      })
  })

  it.each([
    ['words', 'a '.repeat(150_000)],
    ['brackets', '('.repeat(2000)],
    ['here-documents', '<<a '.repeat(50_000)],
    ['commands', 'a;'.repeat(3000)],
    ['files', `rm ${'x '.repeat(1001)}`],
    ['letters of a name', `rm ${'x'.repeat(5000)}`],
    ['scripts in scripts', `${'eval '.repeat(20)}rm x`],
    ['commands in commands', `${'env '.repeat(20)}rm x`],
    ['conditions in conditions', `${'if a; then '.repeat(400)}rm x${'; fi'.repeat(400)}`],
    ['branches in branches', `${'case $x in a) '.repeat(300)}rm x${';; esac'.repeat(300)}`],
    ['groups in groups', `${'{ '.repeat(450)}rm x${'; }'.repeat(450)}`],
    ['words that nest what the parser reads', `${'coproc '.repeat(3000)}rm x`],
    ['letters that take the place of one', `x=${'a'.repeat(60_000)}; echo \${x//a/${'b'.repeat(50_000)}}; rm x`],
    ['texts that double', `${large}${'b=$a;'.repeat(40_000)}`],
  ])('is told of a command with more %s than can be read', (_, command) => {
    expect(readShell(command, at)).toMatchObject({ isUnread: true, readOnly: false })
  })

  it('is no fault of a command that runs a long script, makes a function call itself, or cannot be read for other reasons', () => {
    const textAt = (path: string) => (path === '/repo/long.sh' ? 'a;'.repeat(3000) : undefined)
    for (const command of ['sh long.sh', 'f() { f; }; f', 'make', 'eval "$(cat x)"', 'rm "$x"', 'echo "'])
      expect(readShell(command, { ...at, textAt })).toMatchObject({ isUnread: false })
    expect(readShell(`sh long.sh; ${'a;'.repeat(3000)}`, { ...at, textAt }).isUnread).toBe(true)
  })

  it('is not begun with many here-documents', () => {
    expect(writes('<<a '.repeat(50_000)).undecided).toEqual(['not valid shell: too many here-documents'])
  })
})

function variables(count: number): string {
  return Array.from({ length: count }, (_, n) => `v${n}=1;`).join('')
}

describe('the programs that a command line runs', () => {
  const run = (command: string) =>
    readShell(command, at).commands.map(({ name, args }) => [name, ...args.map(({ text }) => text)].join(' '))

  it.each([
    ['ls; cat a | wc -l', ['ls', 'cat a', 'wc -l']],
    ['echo "rm x" # rm y', ['echo rm x']],
    ['sleep 5 & ls', ['sleep 5', 'ls']],
    ['A=1 make', ['make']],
    ['sudo -u me rm x', ['sudo -u me rm x', 'rm x']],
    ['env A=1 timeout 5 ls', ['env A=1 timeout 5 ls', 'timeout 5 ls', 'ls']],
    ['echo a b | xargs -n1 cat', ['echo a b', 'xargs -n1 cat', 'cat a b']],
    ["bash -c 'ls a'", ['bash -c ls a', 'ls a']],
    ["bash <<'EOF'\nls a\nEOF", ['bash', 'ls a']],
    ['x=$(ls a)', ['ls a']],
    ['f() { ls "$1"; }; f a', ['f a', 'ls a']],
    ['for x in a b; do ls $x; done', ['ls a', 'ls b']],
    ['cat <<EOF\nls\nEOF', ['cat']],
  ])('%s', (command, programs) => {
    expect(run(command)).toEqual(programs)
  })

  it('with the folder each runs in, and the files of its redirections', () => {
    const { commands } = readShell('cd a && sort < in.txt > out.txt; (cd b; ls); ls', at)
    expect(commands.map(({ name, cwd }) => [name, cwd])).toEqual([
      ['cd', '/repo'],
      ['sort', '/repo/a'],
      ['cd', '/repo/a'],
      ['ls', '/repo/a/b'],
      ['ls', '/repo/a'],
    ])
    expect(commands[1]!.redirects.map(({ text }) => text)).toEqual(['in.txt', 'out.txt'])
  })

  it('and whether they must have run', () => {
    const flags = (command: string) =>
      readShell(command, at).commands.map(
        ({ name, maybe, isBehind }) => `${name}${maybe ? '?' : ''}${isBehind ? '!' : ''}`,
      )
    expect(flags('a || b')).toEqual(['a', 'b?'])
    expect(flags('a && b')).toEqual(['a', 'b'])
    expect(flags('a && b; c')).toEqual(['a', 'b!', 'c'])
    expect(flags('if a; then b; fi')).toEqual(['a', 'b?'])
  })
})

describe('what never runs', () => {
  it.each([
    'false && echo x > a',
    'true || rm -rf src',
    '! true && touch a',
    'if false; then touch a; fi',
    'if [ 1 = 2 ]; then touch a; elif [[ x != x ]]; then touch b; fi',
    'while false; do touch a; done; until true; do touch b; done',
    '[ -z "x" ] && touch a; test 1 -gt 2 && touch b; [ ! -n x ] && touch c',
    'DRY=1; if [ -z "$DRY" ]; then rm -rf src; fi; [ "$DRY" = 1 ] || git push',
    'ls; exit 0; git clean -fdx',
    'set -n; rm -rf src',
    '((0)) && touch a; if ((1)); then :; else touch b; fi',
    'perl -c -e \'unlink "a"\'',
    'clean() { rm -rf src; }; alias wipe="rm -rf src"; type clean',
    "bash -n -c 'rm -rf src'; sh -nc 'touch a'; bash -o noexec -c 'touch a'",
    'ruby -c -e \'File.write("a", "x")\'; php -l a.php',
  ])('%s writes nothing', (command) => {
    expect(paths(command)).toEqual([])
  })

  it.each([
    'true && touch a',
    'cd /tmp; cd "$OLDPWD"; touch a',
    'false || touch a',
    'if false; then :; else touch a; fi',
    'if [ 1 = 2 ]; then :; elif true; then touch a; fi',
    'if [ -n "$SET_ELSEWHERE" ]; then touch a; fi',
    'false && true || touch a',
    'false; touch a',
    'while true; do touch a; break; done',
    '(exit 0); touch a',
    'ls || exit 1; touch a',
    'f() { return 0; }; f && touch a',
    'false() { true; }; false && touch a',
    'n=0; ((n++)); [ "$n" -gt 0 ] && touch a',
    'n=0; let n+=1; if [ $n != 0 ]; then touch a; fi',
    'n=0; while [ "$n" -lt 2 ]; do if [ "$n" = 1 ]; then touch a; fi; n=$((n + 1)); done',
    '[[ abc == a* ]] && touch a',
    '[[ -z x || -n x ]] && touch a',
    'false > b || touch a',
    "shopt -s expand_aliases; alias make_it='touch'; make_it a",
    "bash -e +n -c 'touch a'",
    'trap "touch a" EXIT; exit 0',
  ])('%s is told from it', (command) => {
    expect(paths(command)).toContain('/repo/a')
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

describe('what a command line hands on to itself', () => {
  it.each([
    ['an archive', 'd=$(mktemp -d); (cd $d && touch z && zip -q z.zip z); unzip -o $d/z.zip', 'z'],
    ['an archive in a pipe', 'tar cf - -C src . | tar xf - -C lib', 'lib'],
    ['a jar', 'jar cf /tmp/a.jar -C /tmp j.txt && jar xf /tmp/a.jar', 'j.txt'],
    ['a module', "echo \"open('m.txt', 'w')\" > /tmp/mod.py && PYTHONPATH=/tmp python3 -m mod", 'm.txt'],
    ['a preload', "echo \"fs.writeFileSync('p.txt', '')\" > /tmp/p.cjs && node -r /tmp/p.cjs -e 0", 'p.txt'],
    ['a test outside', "echo \"open('t.txt', 'w')\" > /tmp/test_x.py; pytest /tmp/test_x.py", 't.txt'],
    ['a source', 'echo \'main(){fopen("c.txt","w");}\' | gcc -x c - -o /tmp/c && /tmp/c', 'c.txt'],
    [
      'a makefile that calls itself a check',
      "printf 'check:\\n\\ttouch k.txt\\n' > /tmp/k.mk; make -f /tmp/k.mk",
      'k.txt',
    ],
    ['a script that calls itself a test', "echo 'touch s.txt' > /tmp/test.sh; sh /tmp/test.sh", 's.txt'],
    ['a program in PATH', "printf 'touch l.txt' > /tmp/b/lint; PATH=/tmp/b:$PATH lint", 'l.txt'],
    ['a link to a program', 'ln -s "$(command -v tee)" /tmp/show; /tmp/show n.txt < a', 'n.txt'],
    ['a copy of a program', 'cp /usr/bin/touch /tmp/t && /tmp/t y.txt', 'y.txt'],
    ['a hook', "printf 'touch h.txt' > /tmp/hk/post-checkout; git -c core.hooksPath=/tmp/hk checkout HEAD", 'h.txt'],
    ['an argument of an alias', "git -c alias.z='!f() { touch $1; }; f' z i.txt", 'i.txt'],
    ['code in base64', 'python3 -c "exec(b64decode(\'b3BlbignZXhlYy50eHQnLCd3Jyk=\'))"', 'exec.txt'],
    ['code in its input', "python3 -c 'exec(sys.stdin.read())' <<< \"open('e.txt', 'w')\"", 'e.txt'],
    [
      'a script of package.json',
      'echo \'{"scripts":{"pretest":"touch $INIT_CWD/q.txt"}}\' > u/package.json; npm test --prefix u',
      'q.txt',
    ],
    ['a line of an editor', "vim -es -c 'call writefile([], \"v.txt\")' -c 'qa!'", 'v.txt'],
    ['what sed puts together', "sed 's/.*/touch d.txt/e' a", 'd.txt'],
  ])('%s is read: %s', (_, command, path) => {
    expect(paths(command)).toContain(`/repo/${path}`)
  })

  it.each([
    ['npm run watch &', true],
    ['nohup make > log 2>&1 & echo started', true],
    ['setsid make', true],
    ['make & make lint & wait', false],
    ['npm start & sleep 3; npm test; kill %1', false],
    ['make 2>&1 && echo "a & b"', false],
  ])('may go on when the command has ended: %s', (command, goesOn) => {
    expect(writes(command).goesOn).toBe(goesOn)
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
