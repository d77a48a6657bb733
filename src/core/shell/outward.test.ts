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
