import { describe, expect, it } from 'vitest'
import { parseShell } from '#exec/syntax/shell.ts'
import { readShell } from './reading.ts'

const at = { parse: parseShell, cwd: '/repo', home: '/home/dev', root: '/repo' }
const writes = (command: string) => readShell(command, at)
const paths = (command: string) => writes(command).writes.map(({ path }) => path)

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
