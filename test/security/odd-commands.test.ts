import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { grove } from '../cli/grove.ts'
import { attempted } from './attempted.ts'
import { oddTarget } from './odd-target.ts'

// Shell commands that are made to keep their reader busy.

const target = oddTarget()
const { tell, common } = target

describe('a shell command', () => {
  it('that is little and becomes much is answered', async () => {
    const commands = [
      `echo ${'{a,b}'.repeat(40)}`,
      `rm ${'{1..100000}'.repeat(5)}`,
      `cat <<A\n${'<<B '.repeat(10_000)}\nA`,
      `${'a=$a$a;'.repeat(5000)} rm $a`,
      `${'eval '.repeat(20_000)} rm x`,
      `sh -c '${'sh -c "'.repeat(5000)}`,
      `${'! '.repeat(50_000)}rm a`,
      `${'a | '.repeat(50_000)}tee b`,
      `${'a && '.repeat(50_000)}rm b`,
      `for i in ${'a '.repeat(100_000)}; do rm $i; done`,
      `${'if a; then '.repeat(400)} b ${'; fi'.repeat(400)}`,
      `git ${'-c a=b '.repeat(30_000)} apply x`,
      `sed -i ${"'s/a/b/;'".repeat(20_000)} src/a.ts`,
      `find . ${'-exec rm {} ; '.repeat(20_000)}`,
      `xargs ${'xargs '.repeat(30_000)} rm`,
      `cp ${'src/a.ts '.repeat(25_000)} src`,
      `mv ${Array.from({ length: 20_000 }, (_, k) => `f${k}`).join(' ')} src`,
      `python3 -c "${"open('a','w');".repeat(15_000)}"`,
      `node -e "${'require("fs").writeFileSync("a",'.repeat(6000)}"`,
      `apply_patch <<'E'\n*** Begin Patch\n${'*** Add File: a\n+x\n'.repeat(10_000)}*** End Patch\nE`,
      `rm ${'[a-z]*?'.repeat(30_000)}`,
      `rm ${'+(a|'.repeat(400)}b${')'.repeat(400)}`,
      `cd ${'a/../'.repeat(40_000)} && rm a`,
      `\${${'a:-${'.repeat(400)}`,
      `echo $((${'('.repeat(490)}1${')'.repeat(490)}))`,
      `alias ${'a=b '.repeat(60_000)}; a`,
      `f(){ ${'f;'.repeat(60_000)} }; f`,
      `make ${Array.from({ length: 20_000 }, (_, k) => `t${k}`).join(' ')}`,
      `tar xf ${'a.tar '.repeat(30_000)} && unzip ${'b.zip '.repeat(10_000)}`,
      `echo '${'%s'.repeat(100_000)}' > "$(${'echo '.repeat(10_000)})"`,
    ]
    for (const command of attempted(commands)) {
      await tell('pre-tool-use', { ...common(), tool_name: 'Bash', tool_input: { command } })
      await tell('post-tool-use', {
        ...common(),
        tool_name: 'Bash',
        tool_input: { command },
        tool_response: { stdout: '' },
      })
    }
  }, 600_000)
})

describe('where an intent is in force, a command that is made to keep its reader busy', () => {
  const REMOVES = 'rm other/kept.ts'
  const nested = (begin: string, end: string, depth: number) => begin.repeat(depth) + REMOVES + end.repeat(depth)
  const ahead = (piece: string, count: number) => `${piece.repeat(count)} ${REMOVES}`
  const given = (program: string, piece: string, count: number) => `${program} '${piece.repeat(count)}' x; ${REMOVES}`
  const numbered = (count: number, one: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => one(n)).join('')
  const COMMANDS = [
    nested('( ', ' )', 120),
    nested('"$(', ')"', 100),
    nested('$(', ')', 480),
    nested('if a; then ', '; fi', 400),
    nested('while a; do ', '; done', 400),
    nested('for i in a b c d; do ', '; done', 200),
    nested('case $x in a) ', ';; esac', 300),
    nested('{ ', '; }', 450),
    ahead('true;', 3000),
    ahead('true && ', 1900),
    ahead('! ', 30_000),
    ahead('coproc ', 3000),
    ahead('env ', 3000),
    ahead('command ', 5000),
    ahead('eval ', 20),
    ahead('\\\n', 30_000),
    ahead('# x\n', 20_000),
    ahead('cat <<E\nE\n', 1000),
    ahead('ln -s src/a src/b;', 1900),
    ahead('cd src; cd ..;', 950),
    ahead('exec 3>&1;', 1900),
    ahead('read x <<< $x$x;', 1500),
    ahead('printf -v x %s%s $x $x;', 1500),
    `${numbered(300, (n) => `f${n}() { f${n + 1}; f${n + 1}; };`)}f300() { ${REMOVES}; }; f0`,
    `a() { b; b; b; }; b() { a; a; a; }; a; ${REMOVES}`,
    `${numbered(8000, (n) => `v${n}=${n};`)} ${REMOVES}`,
    `a=x; ${'a=$a$a;'.repeat(60)} ${REMOVES}`,
    `a=(1 2); ${`a=(\${a[@]} \${a[@]});`.repeat(60)} for i in "\${a[@]}"; do :; done; ${REMOVES}`,
    `x=${'a'.repeat(60_000)}; echo \${x//a/${'b'.repeat(50_000)}}; ${REMOVES}`,
    `x=${'a'.repeat(50_000)}; echo \${x##${'*a'.repeat(20_000)}b}; ${REMOVES}`,
    `[[ ${'! '.repeat(30_000)} a ]]; ${REMOVES}`,
    `[[ ${'a && '.repeat(20_000)} a ]]; ${REMOVES}`,
    `[[ ${'a'.repeat(30_000)} =~ ${'(a*)*'.repeat(5000)} ]]; ${REMOVES}`,
    `for i in {1..3000}; do :; done; ${REMOVES}`,
    `for i in {1..99}; do for j in {1..99}; do for k in {1..99}; do :; done; done; done; ${REMOVES}`,
    `echo ${'{a,b}'.repeat(40)} {1..99999999} ${'{1..9}'.repeat(30)}; ${REMOVES}`,
    `{rm,other/kept.ts}`,
    `$'\\x72\\x6d' $'other\\x2fkept.ts'`,
    `rm src/${'*/'.repeat(400)} src/${'[a-z]'.repeat(700)} src/${'!('.repeat(200)}a${')'.repeat(200)}; ${REMOVES}`,
    `rm ${'src/a.ts '.repeat(1001)} other/kept.ts`,
    `cat > src/a.ts <<'E'\n${'x\n'.repeat(50_000)}E\n${REMOVES}`,
    `cat <<E\n${'$(a) '.repeat(24_000)}\nE\n${REMOVES}`,
    `cat ${'<<E '.repeat(300)}\n${'x\nE\n'.repeat(300)}${REMOVES}`,
    `cat ${'>src/a '.repeat(15_000)}; ${REMOVES}`,
    `cat ${'<(a) '.repeat(20_000)}; ${REMOVES}`,
    given('jq', '.a|', 30_000),
    given('jq', '"\\(.a)"+', 12_000),
    given('sed -i', 's/a/b/;', 15_000),
    given('sed', 'w src/o\n', 900),
    given('sed', '/a/,/b/{', 400),
    given('awk', '{print > "src/o"}', 6000),
    given('awk', 'BEGIN{system("true");}', 1500),
    given('awk', '/a(b*)*/', 14_000),
    given('perl -e', 'open(F,">src/o");', 6000),
    given('python3 -c', 'open("src/o","w");', 6000),
    given('python3 -c', 'for p in [1,2]: ', 3000),
    given('node -e', 'require("fs").writeFileSync("src/o","");', 2500),
    `find . ${'-exec true {} ; '.repeat(4000)} -delete`,
    `git ${'-C .. '.repeat(9000)}clean -fdx`,
    `git apply <<'E'\n${'--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n'.repeat(2000)}E\n${REMOVES}`,
    `echo ${'\ud800'.repeat(40_000)} ${'e\u0301\u202e'.repeat(20_000)}; ${REMOVES}`,
    'pushd src; pushd .; popd; popd; rm other/kept.ts',
  ]

  it('is read all the same, or refused', async () => {
    const { cwd } = target.at
    for (const folder of ['.orchestration', 'other']) mkdirSync(join(cwd, folder))
    writeFileSync(join(cwd, 'other', 'kept.ts'), 'export const kept = true\n')
    writeFileSync(
      join(cwd, '.orchestration', 'active_intents.yaml'),
      'active_intents:\n  - id: A\n    name: A\n    status: IN_PROGRESS\n    owned_scope: ["src/**"]\n',
    )
    const head = { ...common(), session_id: 'busy' }
    await tell('session-start', { ...head, hook_event_name: 'SessionStart', source: 'startup' })
    expect((await grove(target.at, 'intent', 'select', 'A', '--session', 'busy')).code).toBe(0)
    const passed: string[] = []
    for (const command of COMMANDS) {
      const { tool_use_id } = common() as { tool_use_id: string }
      const call = { tool_name: 'Bash', tool_use_id, tool_input: { command } }
      const said = await tell('pre-tool-use', { ...head, hook_event_name: 'PreToolUse', ...call })
      if (!JSON.stringify(said).includes('"permissionDecision":"deny"')) passed.push(command.slice(0, 60))
    }
    expect(passed).toEqual([])
  }, 600_000)
})
