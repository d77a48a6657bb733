import { Argument, type Command } from 'commander'
import { bashScript, fishScript, zshScript } from '../completion.ts'
import type { Cli } from '../context.ts'
import { printAsIs } from '../print.ts'
import { ALL, buildProgram } from '../program.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

export function define(command: Command, cli: Cli): void {
  command
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SCRIPTS)))
    .action(async (shell: keyof typeof SCRIPTS) => printAsIs(SCRIPTS[shell](await buildProgram(cli, ALL))))
}
