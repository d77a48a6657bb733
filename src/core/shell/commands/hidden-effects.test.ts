import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseShell } from '#exec/syntax/shell.ts'
import { readShell } from '../reading.ts'
import { readSedScript } from './sed-script.ts'

const at = { parse: parseShell, cwd: '/repo', home: '/home/dev', root: '/repo' }
const writes = (command: string) => readShell(command, at)
const paths = (command: string) => writes(command).writes.map(({ path }) => path)

describe('a command that looks harmless is not taken for reading only when it', () => {
  it.each([
    "sed 's/x/touch y/e' a",
    "sed 's/a/b/ge' a",
    "sed -e 's|a|b|e' a",
    "sed -n '1e touch y' a",
    "sed 'e touch y' a",
    "sed '$!{e\n}' a",
    'sed -f script.sed a',
    'sed -n "$SCRIPT" a',
    'sed "s/a/b/$FLAGS" a',
    'awk \'{print | "sh"}\' a',
    'awk \'{c = "sh"; print | c}\' a',
    'awk \'{print |& "sh"}\' a',
    'awk \'BEGIN { "touch y" | getline }\'',
    'awk \'{system("touch y")}\' a',
    'gawk \'@load "filefuncs"; {print}\' a',
    'gawk -e \'{system("x")}\' a',
    'gawk -l filefuncs 1 a',
    'gawk -E p.awk a',
    'rg --pre ./x foo',
    'rg --pre=./x foo',
    'rg --hostname-bin ./x foo',
    'git grep -O./x foo',
    'git grep --open-files-in-pager=./x foo',
    'sort --compress-program=./x a',
    'sort --compress=./x a',
    'tar tf a --to-command=./x',
    'tar tf a --checkpoint=1 --checkpoint-action=exec=./x',
    'tar -I ./x -tf a',
    'tar tf a --use-compress-program=./x',
    'tar -F ./x -tf a',
    'less +!x a',
    'man -P ./x ls',
    'bat --pager=./x a',
    "ssh -o ProxyCommand='touch y' host",
    'ssh -oProxyCommand=x host',
    'ssh -F cfg host',
    'scp -S ./x a host:b',
    'rsync -n -e ./x host:a .',
    'nc -e ./x host 1',
    "fzf --preview 'touch y'",
    "sqlite3 a.db '.shell touch y'",
    "sqlite3 -cmd '.system touch y' a.db 'select 1'",
    'sqlite3 a.db "select writefile(\'o\', 1)"',
    "sqlite3 a.db '.load ./x'",
    "psql -c '\\! touch y'",
    "psql <<< '\\! touch y'",
    'psql -c "copy t to program \'x\'"',
    "mysql -e 'system touch y'",
    'mysql -e "select 1 into outfile \'/tmp/y\'"',
    "mysql <<< '\\! touch y'",
    "vim -es -c ':!touch y' -c q",
    "ex -sc 'w other|q' a",
    "ed -s a <<< '!touch y'",
    'node -r ./x -p 1',
    'node --import ./x -p 1',
    "perl -Mlib=. -e 'print 1'",
    "perl -MFoo -e 'print 1'",
    "ruby -r./x -e 'puts 1'",
    "php -d auto_prepend_file=x -r 'echo 1;'",
    'pandoc --lua-filter x.lua a',
    'pylint --init-hook=x y',
    'curl -K cfg https://x',
    'wget -O- --use-askpass=./x https://x',
    'helm template x --post-renderer ./x',
    "alias ls='touch y'\nls",
    'mapfile -C touch -c 1 a < b',
    'sudo -s',
    'xdg-open ./run.command',
    'fd --exec=rm foo',
    'ip netns exec x touch y',
  ])('is told to run something: %s', (command) => {
    expect(writes(command).readOnly).toBe(false)
  })

  it.each([
    'git -c core.pager=./x log',
    'git -c diff.external=./x diff',
    'git -c core.fsmonitor=./x status',
    'git -c core.sshCommand=./x fetch',
    'git -c credential.helper=./x fetch',
    'git -c diff.foo.textconv=./x diff',
    'git -c gpg.program=./x log --show-signature',
    'git -c pager.log=./x log',
    'git -c filter.x.clean=./x add a',
    'git -c include.path=./cfg log',
    "git -c alias.st='!touch y' st",
    'git --config-env=core.pager=X log',
    'git --exec-path=./bin status',
    "git fetch 'ext::sh -c touch% y'",
    'git fetch --upload-pack=./x origin',
    'git push --receive-pack=./x origin',
  ])('makes git run something: %s', (command) => {
    expect(writes(command).readOnly).toBe(false)
  })

  it.each([
    'GIT_EXTERNAL_DIFF=./x git diff',
    'export GIT_EXTERNAL_DIFF=./x; git diff',
    'env GIT_EXTERNAL_DIFF=./x git diff',
    'sudo GIT_PAGER=./x git log',
    'PAGER=./x man ls',
    'GIT_SSH_COMMAND=./x git fetch',
    "GIT_SSH_COMMAND='ssh -o ProxyCommand=x' git fetch",
    'GIT_ASKPASS=./x git fetch',
    'GIT_EDITOR=./x git commit',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=./x git log',
    'GIT_CONFIG_GLOBAL=./cfg git log',
    'GIT_EXEC_PATH=./bin git status',
    'LESSOPEN="|x %s" less a',
    'LD_PRELOAD=./x.so ls',
    'PATH=./bin:$PATH ls',
    'PATH=/repo/bin:$PATH ls',
    'PATH=:$PATH ls',
    'BASH_ENV=./x bash -c ls',
    "NODE_OPTIONS='--require ./x' node -p 1",
    'TAR_OPTIONS=--to-command=./x tar tf a',
    'RIPGREP_CONFIG_PATH=./rc rg foo',
    'PERL5OPT=-Mx perl -e "print 1"',
  ])('has a variable that does: %s', (command) => {
    expect(writes(command).readOnly).toBe(false)
  })

  it.each([
    ["sed 's/a/b/w out.txt' a", 'out.txt'],
    ["sed 's/a/b/gw out.txt' a", 'out.txt'],
    ["sed 's/a/b/mw out.txt' a", 'out.txt'],
    ["sed -n '/x/!w out.txt' a", 'out.txt'],
    ["sed '1,5w out.txt' a", 'out.txt'],
    ["sed -n '/a/,/b/ w out.txt' a", 'out.txt'],
    ["sed -n '\\,x,w out.txt' a", 'out.txt'],
    ["sed 'W out.txt' a", 'out.txt'],
    ["sed -n '/x/{s/a/b/\nw out.txt\n}' a", 'out.txt'],
    ["sed -e p -e 'w out.txt' a", 'out.txt'],
    ['find . -fprint out.txt', 'out.txt'],
    ["perl -0777 -pi -e 's/a/b/' out.txt", 'out.txt'],
    ["perl -lpi -e 's/a/b/' out.txt", 'out.txt'],
    ['sort -oout.txt a', 'out.txt'],
    ['sort --output=out.txt a', 'out.txt'],
    ['git log --output=out.txt', 'out.txt'],
    ['git diff-tree --output out.txt HEAD', 'out.txt'],
    ['git stash show --outpu=out.txt', 'out.txt'],
    ['git interpret-trailers --in-place out.txt', 'out.txt'],
    ['GIT_TRACE=/repo/out.txt git status', 'out.txt'],
    ['gawk --profile=out.txt 1 a', 'out.txt'],
    ['gawk -p 1 a', 'awkprof.out'],
    ['tar --delete -f out.txt b', 'out.txt'],
    ['less -o out.txt a', 'out.txt'],
    ['ssh -E out.txt host', 'out.txt'],
    ['curl --etag-save out.txt https://x', 'out.txt'],
    ['wget -O- --save-cookies out.txt https://x', 'out.txt'],
    ['cloc --report-file=out.txt .', 'out.txt'],
    ['base64 -o out.txt a', 'out.txt'],
    ['helm template --output-dir out.txt x', 'out.txt'],
    ['/usr/bin/time -o out.txt ls', 'out.txt'],
    ['npx tsc --noEmit --generateTrace out.txt', 'out.txt'],
    ["sqlite3 a.db '.log out.txt' 'select 1'", 'out.txt'],
    ['aws lambda invoke --function-name f out.txt', 'out.txt'],
    ['history -w out.txt', 'out.txt'],
  ])('names a file to write: %s', (command, path) => {
    expect(paths(command)).toEqual([`/repo/${path}`])
  })
})

describe('a command that only looks stays so', () => {
  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell or sed that reads this
    'sed -n "${a},${b}p" f',
    "sed 's/a/b/g; s|c|d|; /x/d' a",
    "sed '/start/,/end/!d' a",
    "sed -n '/foo/{=;p}' a",
    "sed ':a;N;$!ba;s/\\n/ /g' a",
    "sed 's/[/]/x/g' a",
    'sed "s#$HOME#~#g;s/x/$VAR/" a',
    "sed '1i header; w baz' a",
    "sed '1a\\\nw out' a",
    "sed -E 's/(a|b)+/\\1/g;t;d' a",
    "sed '0~3d;5q' a",
    "sed '/a/I,/b/Id' a",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell or sed that reads this
    "sed -n 'H;${x;s/\\n/,/g;p}' a",
    'sed --sandbox -f x.sed a',
    "awk '/a|b/ {print $1}' a",
    "awk -F'|' '$3 > 100 {print $2}' a",
    'awk \'{ if ($1 ~ /x|y/ || $2 == "a|b") n++ } END { print n/2, n / 3 }\' a',
    'awk \'{gsub(/\\|/, ","); print} # a | b\' a',
    'GIT_PAGER=cat git log',
    'PAGER= git diff',
    'GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null git log',
    "GIT_SSH_COMMAND='ssh -i key -o BatchMode=yes' git fetch",
    'GIT_TRACE=1 git status',
    'PATH="$HOME/.cargo/bin:$PATH" ls',
    'export PATH=$PATH:/usr/local/go/bin && ls',
    'PATH=./node_modules/.bin:$PATH ls',
    'NODE_OPTIONS=--max-old-space-size=4096 node -p 1',
    'LC_ALL=C LESS=-FRX sort a',
    'git -c core.pager=cat -c color.ui=never log',
    'git -c credential.helper= fetch origin main',
    'git -c core.hooksPath=/dev/null commit -m x',
    'git push -u origin x',
    'tar -I zstd -tf a',
    'tar tf a --checkpoint-action=dot',
    'ssh -p 22 -o StrictHostKeyChecking=no host uptime',
    "rsync -avn -e 'ssh -p 22' a host:b",
    'less -R +/foo a',
    'man -P cat ls',
    'rg -n --glob "!x" foo src',
    "sqlite3 -header -csv a.db 'select 1'",
    "psql -c '\\d+ users'",
    "mysql -e 'select name from users'",
    "ruby -rjson -e 'puts 1'",
    "perl -lane 'print $F[0]' a",
    "perl -0777 -ne 'print if /x/' a",
    "perl -MList::Util=sum -l012ne 'print' a",
    'wget -qO- -e robots=off https://x',
    'open https://example.com',
    'fd -e ts -x wc -l',
    "alias ls='ls --color'; ls",
    'builtin cd sub && ls',
  ])('%s', (command) => {
    expect(writes(command)).toMatchObject({ writes: [], undecided: [], readOnly: true })
  })
})

it('reads any text as a sed script without end or trouble', () => {
  const pieces = fc.constantFrom(
    's',
    '/',
    'a',
    'w',
    'e',
    '{',
    '}',
    ';',
    '\n',
    '\\',
    '[',
    ']',
    ',',
    '1',
    '$',
    '!',
    ' ',
    'x',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (script) => {
      expect(readSedScript(script.join('')).writes.every((path) => !path.includes('\n'))).toBe(true)
    }),
  )
  for (const piece of ['[a', '[a]', '[', '\\\\', '[^']) {
    for (const start of ['s/', '/', 'y,']) expect(readSedScript(start + piece.repeat(5000)).isRead).toBe(false)
    expect(writes(`awk '/${piece.repeat(5000)}' a`).readOnly).toBe(true)
  }
})
