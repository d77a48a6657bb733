import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { commands } from './commands.ts'
import { thisProcess } from './context.ts'
import { examplesText, groupOf } from './help.ts'
import { ALL, buildProgram } from './program.ts'

let program: Command
beforeAll(async () => {
  program = await buildProgram(thisProcess(), ALL)
})

/** Every command with the words that lead to it, inner ones too. */
function all(command: Command = program, path = 'grove'): { path: string; command: Command }[] {
  return command.commands.flatMap((inner) => {
    const name = `${path} ${inner.name()}`
    return [{ path: name, command: inner }, ...all(inner, name)]
  })
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

describe('help', () => {
  it('explains every command and every command inside another, with an example that runs it', () => {
    expect(all().length).toBeGreaterThan(commands.length + 30)
    for (const { path, command } of all()) {
      expect(command.description(), path).toMatch(/^[A-Z].*\.$/)
      const [, examples = ''] = helpOf(command).split('Examples:')
      const [, first, inner = ''] = path.split(' ')
      expect(examples, path).toContain(`grove ${first}`)
      expect(examples.includes(inner) || path === 'grove import file', path).toBe(true)
    }
  })

  it('gives no command an option that grove itself takes first', () => {
    const own = program.options.map(({ long }) => long)
    for (const { path, command } of all())
      expect(
        command.options.filter(({ long }) => own.includes(long)),
        path,
      ).toEqual([])
  })

  it('fits a terminal of 80 columns, but for lines that somebody has to type', () => {
    for (const { path, command } of [{ path: 'grove', command: program }, ...all()]) {
      const long = helpOf(command)
        .split('\n')
        .filter((line) => line.length > 80 && !/^ {2}\S*grove /.test(line))
      expect(long, path).toEqual([])
    }
  })

  it('lists commands under what people want of them', () => {
    const programs = commands.filter(({ name }) => groupOf(name).startsWith('For agents'))
    expect(programs.map(({ name }) => name)).toEqual([
      ...['proxy', 'web', 'hook', 'statusline', 'mcp', 'reflect', 'skip', 'observe', 'completion'],
    ])
    const text = helpOf(program)
    expect(text.indexOf('Get started:')).toBeLessThan(text.indexOf('Memory:'))
    const inFeature = program.commands.find((command) => command.name() === 'feature')!.commands
    const ungrouped = inFeature.filter((command) => command.helpGroup() === 'Commands:')
    expect(ungrouped.map((command) => command.name())).toEqual([])
    expect(text).toMatch(/Keep agents in scope:\n {2}intent [^:]+\n {2}trace /)
  })

  it('puts what an example does below it where both do not fit in a line', () => {
    const line = `grove search ${'x'.repeat(60)}`
    expect(examplesText([[line, 'finds it']])).toBe(`\nExamples:\n  ${line}\n      finds it`)
  })
})
