import type { Command } from 'commander'
import type { Cli } from './context.ts'

/** Every command of `grove`. Help and shell completion are made from this table; a new command is one entry and one file. */

export interface CommandEntry {
  name: string
  summary: string
  /** Lines to type, each with what it does. */
  examples: [line: string, does: string][]
  /** Loaded when the command is used, so that no command pays for another. */
  load: () => Promise<CommandModule>
}

export interface CommandModule {
  /** Adds options, arguments and the action. */
  define(command: Command, cli: Cli): void
}

export const commands: CommandEntry[] = [
  {
    name: 'up',
    summary: 'Start Grove: the proxy and the web page',
    examples: [
      ['grove up', 'run in this terminal until Ctrl+C'],
      ['grove up --proxy-port 9090', 'use another port for the proxy'],
    ],
    load: () => import('./commands/up.ts'),
  },
  {
    name: 'proxy',
    summary: 'Start only the proxy',
    examples: [['grove proxy', 'record what Claude Code does, without the web page']],
    load: () => import('./commands/proxy.ts'),
  },
  {
    name: 'web',
    summary: 'Start only the web page and the API',
    examples: [['grove web --port 4000', 'serve the page on port 4000']],
    load: () => import('./commands/web.ts'),
  },
  {
    name: 'status',
    summary: 'Show what is stored, and whether Grove runs',
    examples: [
      ['grove status', 'counts per project'],
      ['grove status --json', 'the same for a program'],
    ],
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'proxy-status',
    summary: 'Show which agents are live, and on what they work',
    examples: [
      ['grove proxy-status', 'one line per agent'],
      ['grove proxy-status --json', 'the same for a program'],
    ],
    load: () => import('./commands/proxy-status.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check this installation, and name each problem with its fix',
    examples: [
      ['grove doctor', 'every check, and every setting with its source'],
      ['grove doctor --online', 'also ask whether the API can be reached'],
    ],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for your shell',
    examples: [
      ['source <(grove completion bash)', 'for this bash; put the line into ~/.bashrc to keep it'],
      ['source <(grove completion zsh)', 'for this zsh; put the line into ~/.zshrc to keep it'],
      ['grove completion fish > ~/.config/fish/completions/grove.fish', 'for every fish from now on'],
    ],
    load: () => import('./commands/completion.ts'),
  },
]
