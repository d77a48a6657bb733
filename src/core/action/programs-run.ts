import { readOptions } from '../shell/options.ts'
import type { ShellReading } from '../shell/reading.ts'
import type { SimpleCommand } from '../shell/simple-command.ts'
import { baseName } from '../shell/values.ts'
import type { GitDeed } from '../step.ts'

/**
 * What a command line runs, in order: its programs, and of git, gh and glab the subcommand as well: `git stash pop`,
 * `gh pr create`.
 */
export function programsRun({ commands }: ShellReading): string[] {
  return [...new Set(commands.map(programOf))]
}

export function programOf(command: SimpleCommand): string {
  const program = baseName(command.name)
  if (program === 'gh' || program === 'glab')
    return [
      program,
      ...readOptions(command.args)
        .operands.slice(0, 2)
        .map(({ text }) => text),
    ].join(' ')
  if (program !== 'git') return program
  const [verb, ...args] = gitOptions(command).operands
  if (verb === undefined) return program
  const first = verb.text === 'stash' ? args[0]?.text : undefined
  return ['git', verb.text, ...(first === undefined || first.startsWith('-') ? [] : [first])].join(' ')
}

/** A command with its words as the shell would expand them: to decide by, for secrets may be among them. */
export function commandWords({ name, args }: SimpleCommand): string[] {
  return [name, ...args.map(({ text }) => text)]
}

/** Git's own options, and behind them its subcommand with what belongs to it. */
export function gitOptions({ args }: SimpleCommand) {
  return readOptions(args, { values: 'C c git-dir work-tree', stopAtOperand: true })
}

const DEEDS: Record<string, GitDeed> = {
  'git commit': 'commits',
  'git merge': 'joins',
  'git rebase': 'joins',
  'git cherry-pick': 'joins',
  'git revert': 'joins',
  'git am': 'joins',
  'git stash': 'stashes',
  'git stash push': 'stashes',
  'git stash save': 'stashes',
  'git stash pop': 'unstashes',
  'git stash apply': 'unstashes',
}

/** What a command line does to git's record of the work. */
export function gitDeedsIn(script: ShellReading): GitDeed[] {
  const deeds = programsRun(script).flatMap((program) => DEEDS[program] ?? [])
  return [...new Set([...deeds, ...(script.commands.some(leavesCommits) ? ['leaves commits' as const] : [])])]
}

/** `git reset --hard HEAD~1`: what was committed since is gone with the rest. */
function leavesCommits(command: SimpleCommand): boolean {
  if (baseName(command.name) !== 'git') return false
  const [verb, ...args] = gitOptions(command).operands
  if (verb?.text !== 'reset') return false
  const { has, operands } = readOptions(args)
  return has('hard') && operands.length > 0 && operands[0]!.text !== 'HEAD'
}
