import type { Command } from 'commander'
import type { Cli } from './context.ts'
import type { Example } from './help.ts'

/** Every command of `grove`. Help and shell completion are made from this table; a new command is one entry and one file. */

export interface CommandEntry {
  name: string
  summary: string
  /** Lines to type, each with what it does. */
  examples: Example[]
  /** Loaded when the command is used, so that no command pays for another. */
  load: () => Promise<CommandModule>
}

export interface CommandModule {
  /** Adds options, arguments and the action. */
  define(command: Command, cli: Cli): void
}

export const commands: CommandEntry[] = [
  {
    name: 'demo',
    summary: 'See Grove at work on a made-up project; no key and no Claude Code needed',
    examples: [
      ['grove demo', 'two minutes; Ctrl+C removes everything again'],
      ['grove demo --no-open', 'print the link, as over ssh'],
    ],
    load: () => import('./commands/demo.ts'),
  },
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
    name: 'claude',
    summary: 'Start Claude Code through the proxy, or plainly when Grove cannot',
    examples: [
      ['grove claude', 'as `claude`; Grove is started if need be'],
      ['grove claude -p "explain this repository"', 'everything behind it goes to Claude Code'],
    ],
    load: () => import('./commands/claude.ts'),
  },
  {
    name: 'open',
    summary: 'Open the page in your browser, and let that browser in',
    examples: [
      ['grove open', 'start Grove if need be, and open its page'],
      ['grove open --print', 'print the link, for another browser'],
    ],
    load: () => import('./commands/open.ts'),
  },
  {
    name: 'stop',
    summary: 'Stop Grove, wherever it was started',
    examples: [
      ['grove stop', 'open answers may finish'],
      ['grove stop --now', 'at once'],
    ],
    load: () => import('./commands/stop.ts'),
  },
  {
    name: 'restart',
    summary: 'Stop Grove and start it in the background',
    examples: [['grove restart', 'after an update, or a change of settings']],
    load: () => import('./commands/restart.ts'),
  },
  {
    name: 'logs',
    summary: 'Show what Grove has logged',
    examples: [
      ['grove logs', 'the newest lines'],
      ['grove logs -f -n 10', 'the newest ten, and every new one'],
    ],
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'service',
    summary: 'Keep Grove running with the service manager of your system',
    examples: [
      ['grove service install', 'start it when you log in'],
      ['grove service status', 'whether it is there and runs'],
      ['grove service remove', 'take it away'],
    ],
    load: () => import('./commands/service.ts'),
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
    summary: 'Show what each live agent works on',
    examples: [
      ['grove proxy-status', 'one line per agent'],
      ['grove proxy-status --watch', 'the same, looking again every second'],
      ['grove proxy-status 0f3a9c21', 'one of them: what was rejected, what was put before it, and why'],
      ['grove proxy-status --json', 'for a program'],
    ],
    load: () => import('./commands/proxy-status.ts'),
  },
  {
    name: 'pause',
    summary: 'Switch everything off for a while: for a session, this project or all',
    examples: [
      ['grove pause 30', 'for half an hour, in this project'],
      ['grove pause --session 0f3a9c21', 'for one agent session, until `grove resume`'],
      ['grove pause --all', 'everywhere'],
    ],
    load: () => import('./commands/pause.ts'),
  },
  {
    name: 'resume',
    summary: 'Switch on again what was paused',
    examples: [
      ['grove resume', 'in this project'],
      ['grove resume --all', 'everything that was paused'],
    ],
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check this installation, and name each problem with its fix',
    examples: [
      ['grove doctor', 'every check, problems first'],
      ['grove doctor --settings', 'also every setting, with where it comes from'],
      ['grove doctor --online', 'also ask whether the API can be reached'],
    ],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'init',
    summary: 'Attach Grove to Claude Code: hooks and tools',
    examples: [
      ['grove init', 'in all your projects'],
      ['grove init --import', "and begin with what this project's history knows"],
      ['grove init --project', 'only here'],
      ['grove init --proxy', 'also send all requests through the proxy'],
      ['grove init --statusline', "also show goal, score and what waits in Claude Code's status line"],
      ['grove init --dry-run', 'see what would be written'],
    ],
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'unregister',
    summary: 'Detach Grove from Claude Code, leaving your settings as they were',
    examples: [
      ['grove unregister', 'from your settings and from this project'],
      ['grove unregister --all', 'from every project'],
    ],
    load: () => import('./commands/unregister.ts'),
  },
  {
    name: 'hook',
    summary: 'Answer one hook of Claude Code (used by the entries of `grove init`)',
    examples: [['grove hook stop < payload.json', 'what Grove would answer']],
    load: () => import('./commands/hook.ts'),
  },
  {
    name: 'statusline',
    summary: 'Print a status line for Claude Code (used by `grove init --statusline`)',
    examples: [['grove statusline < payload.json', 'goal, score, tokens added, what waits; nothing without a session']],
    load: () => import('./commands/statusline.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve the tools for agents over MCP (used by Claude Code)',
    examples: [['claude mcp add grove -- grove mcp', 'add them by hand']],
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'reflect',
    summary: 'Keep what was learned, said with options or as JSON',
    examples: [
      [
        "grove reflect --category pitfall --summary '…' --detail '…' --tags db \\\n--criteria behavior_changing",
        'one insight',
      ],
      ['grove reflect --file learned.json', 'several'],
    ],
    load: () => import('./commands/reflect.ts'),
  },
  {
    name: 'skip',
    summary: 'Say that there is nothing to keep, and why',
    examples: [['grove skip "only a version bump"', 'the waiting session may finish']],
    load: () => import('./commands/skip.ts'),
  },
  {
    name: 'observe',
    summary: 'Leave a note for the reflection',
    examples: [['grove observe "the order of middlewares matters"', 'from a subagent, while it works']],
    load: () => import('./commands/observe.ts'),
  },
  {
    name: 'learnings',
    summary: 'List, show, edit, archive and restore learnings',
    examples: [
      ['grove learnings', 'the active ones of this project'],
      ['grove learnings list database migration', 'those that fit'],
      ['grove learnings edit lrn_4be1 --tags db,seed', 'change one where it stands'],
      ['grove learnings archive lrn_4be1', 'no longer show it to agents'],
      ['grove learnings rejected', 'what was turned down, and why'],
    ],
    load: () => import('./commands/learnings.ts'),
  },
  {
    name: 'maintain',
    summary: 'Archive unused learnings, and repair the stats log',
    examples: [['grove maintain --dry-run', 'see what would be archived']],
    load: () => import('./commands/maintain.ts'),
  },
  {
    name: 'insights',
    summary: 'Sum up the week, and how well learning works here',
    examples: [['grove insights', 'what Grove recalled, corrected and stopped; what to change']],
    load: () => import('./commands/insights.ts'),
  },
  {
    name: 'feature',
    summary: 'Take a feature from idea to pull request',
    examples: [
      ['grove feature new --title "Add login" --description-file login.md', 'begin one, in a worktree of its own'],
      ['grove feature', 'all of them, and what each waits for'],
      ['grove feature answer add-login 1=A 2="ninety days"', 'answer what Claude asks'],
      ['grove feature approve add-login --sign-off', 'approve the plan as it is shown'],
    ],
    load: () => import('./commands/feature.ts'),
  },
  {
    name: 'intent',
    summary: 'Declare what agents may work on, and answer what they ask for',
    examples: [
      ['grove intent add "Refresh tokens" --scope "src/auth/**"', 'declare one; agents then need an intent to write'],
      ['grove intent check src/auth/token.ts', 'which intents may write it'],
      ['grove intent approve', 'what agents wait for'],
    ],
    load: () => import('./commands/intent.ts'),
  },
  {
    name: 'trace',
    summary: 'Show which lines were changed for which intent',
    examples: [
      ['grove trace log --intent INT-001', 'every change made for it'],
      ['grove trace blame src/auth/token.ts', 'the intent behind each line'],
      ['grove trace verify --since main', 'lines of this branch that no intent accounts for'],
    ],
    load: () => import('./commands/trace.ts'),
  },
  {
    name: 'search',
    summary: 'Search what the team remembers and has learned',
    examples: [
      ['grove search token refresh expiry', 'the best memories of this project, each with the reason'],
      ['grove search "ECONNRESET in uploads" --files src/upload.ts --json', 'with a file you work on, for a program'],
    ],
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'memories',
    summary: 'List, show, edit and delete memories',
    examples: [
      ['grove memories', 'the newest of this project'],
      ['grove memories show mem_4be1', 'one in full'],
      ['grove memories edit mem_4be1 --tags auth,tokens', 'change one for the whole team'],
      ['grove memories delete mem_4be1', 'for good, for the whole team'],
    ],
    load: () => import('./commands/memories.ts'),
  },
  {
    name: 'import',
    summary: 'Bring in what exists: git history, transcripts, JSON lines',
    examples: [
      ['grove import git', "memories from this project's history, on the first day"],
      ['grove import transcripts', "from Claude Code's earlier sessions here"],
      ['grove import memories.jsonl', 'from a file that `grove export` wrote'],
    ],
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'export',
    summary: 'Write memories as JSON lines',
    examples: [
      ['grove export memories.jsonl', 'those of this project'],
      ['grove export --all', 'all, to standard output'],
    ],
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'team',
    summary: 'Share memories with a team through PostgreSQL',
    examples: [
      ['grove team join postgresql://ada@db.example/grove', 'share this project, after showing what is sent'],
      ['grove team share ../other', 'one more project'],
      ['grove team status', 'who and what, and what waits to be sent'],
      ['grove team leave', 'stop sharing at once'],
      ['grove team forget', 'delete there what you sent'],
    ],
    load: () => import('./commands/team.ts'),
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
