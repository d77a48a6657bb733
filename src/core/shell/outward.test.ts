import { describe, expect, it } from 'vitest'
import { parseShell } from '#exec/syntax/shell.ts'
import { commandsIn } from '../../../test/corpus/guard/stage.ts'
import { readShell } from './reading.ts'

const read = (command: string) => readShell(command, { parse: parseShell, cwd: '/repo' })

describe('the three classes of command', () => {
  it('tells what pushes, publishes, deploys, sends or changes a database', () => {
    const missed = commandsIn('effects.txt').filter(({ command }) => read(command).outward.length === 0)
    expect(missed.map(({ command }) => command)).toEqual([])
  })

  const HARMLESS = ['', '-fresh', '-last', '-stranger', '-second-stranger', '-ecosystems'].flatMap((set) =>
    commandsIn(`harmless${set}.txt`),
  )

  it('takes no test, build, linter, install or look for an effect outside', () => {
    const wrong = HARMLESS.filter(({ command }) => read(command).outward.length > 0)
    expect(wrong.map(({ command }) => command)).toEqual([])
  })

  it('leaves to tests, builds and installs what only they know', () => {
    const strange = commandsIn('harmless.txt').filter(({ command }) => !read(command).routine)
    expect(strange.length).toBeLessThan(6)
    expect(read('./tools/rewrite-everything.sh').routine).toBe(false)
    expect(read('npm test && ./tools/rewrite-everything.sh').routine).toBe(false)
  })

  it('tells code that sends something to another machine from code that asks, or speaks to this one', () => {
    const send = (url: string) => `node -e "fetch('${url}', { method: 'POST', body: '{}' })"`
    expect(read(send('https://api.example.com/deploys')).outward).not.toEqual([])
    expect(read(`python3 -c "import requests; requests.delete('https://api.example.com/x')"`).outward).not.toEqual([])
    expect(read(send('http://127.0.0.1:3000/x')).outward).toEqual([])
    expect(read(`node -e "fetch('https://api.example.com/x')"`).outward).toEqual([])
    expect(read('aws --version; az version -o tsv').outward).toEqual([])
  })

  it('asks about containers of another machine, unless they are only looked at', () => {
    for (const command of [
      'DOCKER_HOST=ssh://deploy@web1.example.invalid docker compose up -d',
      'export DOCKER_HOST=tcp://10.0.0.9:2376 && docker restart api',
      'docker -H ssh://web1.example.invalid rm -f api',
      'docker --host=ssh://web1.example.invalid compose down',
    ])
      expect(read(command).outward, command).not.toEqual([])
    for (const command of [
      'docker compose up -d',
      'DOCKER_HOST=unix:///run/user/1000/docker.sock docker compose up -d',
      'DOCKER_HOST=tcp://127.0.0.1:2375 docker run --rm alpine true',
      'docker -H ssh://web1.example.invalid logs api',
    ])
      expect(read(command).outward, command).toEqual([])
  })

  it('is told to do something by more words than one that asks', () => {
    for (const command of [
      'helm upgrade web ./chart --version 2.1.0',
      'gem yank grove --version 1.0.0',
      'ansible-playbook site.yml --diff',
      'sbt "core/publishSigned"',
      './gradlew :core:publish',
    ])
      expect(read(command).outward, command).not.toEqual([])
    for (const command of [
      'helm --version',
      'ansible-playbook site.yml --check --diff',
      'sbt publishLocal',
      './gradlew publishToMavenLocal',
    ])
      expect(read(command).outward, command).toEqual([])
  })

  it('reads what a database is given to read', () => {
    for (const command of [
      "echo 'drop table carts' | psql shop",
      "mysql shop <<'SQL'\nupdate carts set open = 0;\nSQL",
      'printf "get a\\nflushdb\\n" | redis-cli',
    ])
      expect(read(command).outward, command).not.toEqual([])
    for (const command of ["psql shop <<< 'select * from carts'", 'echo ping | redis-cli'])
      expect(read(command).outward, command).toEqual([])
  })

  it('takes no option with one dash for a file', () => {
    for (const command of [
      'go test -count=1 -run X ./...',
      'mvn -o test',
      'az account show -o table',
      'pytest -o log_cli=1',
    ])
      expect(read(command).writes, command).toEqual([])
  })
})
