import type { Command } from 'commander'
import { commands } from '../src/cli/commands.ts'
import { thisProcess } from '../src/cli/context.ts'
import { groupOf, inGroups } from '../src/cli/help.ts'
import { ALL, buildProgram } from '../src/cli/program.ts'

const INTRO = `# Command line

Every command with its options and examples, as \`--help\` prints them. This page is written from the commands themselves.
Every listing takes \`--json\`. Errors go to stderr with a way out, and the exit code is 1; 2 when the command line itself is wrong.
`

/** The page about all commands, in the order of \`grove --help\`. */
export async function cliPage(): Promise<string> {
  const program = await buildProgram(thisProcess(), ALL)
  const sections: string[] = []
  let heading = ''
  for (const { name } of inGroups(commands)) {
    const group = groupOf(name)
    if (group !== heading) sections.push(`## ${group.replace(/:$/, '')}\n`)
    heading = group
    const command = program.commands.find((one) => one.name() === name)!
    sections.push(section(command, `grove ${name}`, 3))
    for (const inner of command.commands.filter((one) => one.name() !== 'help')) {
      sections.push(section(inner, `grove ${name} ${inner.name()}`, 4))
    }
  }
  return `${[INTRO, ...sections].join('\n')}\n`
}

function section(command: Command, path: string, level: number): string {
  return `${'#'.repeat(level)} ${path}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`
}

function helpOf(command: Command): string {
  let text = ''
  const write = (piece: string) => {
    text += piece
  }
  command.configureOutput({ writeOut: write, writeErr: write, getOutHelpWidth: () => 80, getErrHelpWidth: () => 80 })
  command.outputHelp()
  return text.trim()
}
