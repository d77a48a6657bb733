import { describe, expect, it } from 'vitest'
import { parseShell } from '#exec/syntax/shell.ts'
import { readShell } from '../reading.ts'

const at = { parse: parseShell, cwd: '/repo', home: '/home/dev', root: '/repo' }
const writes = (command: string) => readShell(command, at)
const paths = (command: string) => writes(command).writes.map(({ path }) => path)

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
