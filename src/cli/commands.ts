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
    summary: 'See Grove in action on a made-up project; needs no API key or Claude Code',
    examples: [
      ['grove demo', 'play for two minutes; Ctrl+C removes everything'],
      ['grove demo --no-open', 'print the link instead of opening a browser, e.g. over ssh'],
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
    summary: 'Start Claude Code through the proxy, or directly if Grove is unavailable',
    examples: [
      ['grove claude', 'like `claude`; starts Grove if necessary'],
      ['grove claude -p "explain this repository"', 'all arguments are passed to Claude Code'],
    ],
    load: () => import('./commands/claude.ts'),
  },
  {
    name: 'open',
    summary: 'Open the web page in your browser and sign that browser in',
    examples: [
      ['grove open', 'start Grove if necessary, and open its page'],
      ['grove open --print', 'print the link, for another browser'],
    ],
    load: () => import('./commands/open.ts'),
  },
  {
    name: 'stop',
    summary: 'Stop Grove, wherever it was started',
    examples: [
      ['grove stop', 'wait for running requests to finish'],
      ['grove stop --now', 'at once'],
    ],
    load: () => import('./commands/stop.ts'),
  },
  {
    name: 'restart',
    summary: 'Stop Grove and start it in the background',
    examples: [['grove restart', 'after an update or a change of settings']],
    load: () => import('./commands/restart.ts'),
  },
  {
    name: 'logs',
    summary: 'Show the log of Grove',
    examples: [
      ['grove logs', 'the newest lines'],
      ['grove logs -f -n 10', 'the newest ten, then every new line'],
    ],
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'service',
    summary: 'Run Grove as a service (systemd or launchd)',
    examples: [
      ['grove service install', 'start Grove when you log in'],
      ['grove service status', 'show whether it is installed and running'],
      ['grove service remove', 'remove the service'],
    ],
    load: () => import('./commands/service.ts'),
  },
  {
    name: 'status',
    summary: 'Show whether Grove is running, what is stored, and what was finished lately',
    examples: [
      ['grove status', 'counts per project'],
      ['grove status --json', 'the same, for scripts'],
    ],
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'proxy-status',
    summary: 'Show what each running agent is working on',
    examples: [
      ['grove proxy-status', 'one line per agent'],
      ['grove proxy-status --watch', 'refresh every second'],
      ['grove proxy-status 0f3a9c21', 'one session: what was rejected, what was injected, and why'],
      ['grove proxy-status 0f3a9c21 --actions', 'its actions with their scores, and in full what Grove told it'],
      ['grove proxy-status --json', 'for scripts'],
    ],
    load: () => import('./commands/proxy-status.ts'),
  },
  {
    name: 'inbox',
    summary: 'List everything that waits for you, over all agents and features',
    examples: [['grove inbox', 'each thing with the line that answers it']],
    load: () => import('./commands/inbox.ts'),
  },
  {
    name: 'pause',
    summary: 'Turn Grove off for a while, for a session, this project or everything',
    examples: [
      ['grove pause 30', 'for half an hour, in this project'],
      ['grove pause --session 0f3a9c21', 'for one agent session, until `grove resume`'],
      ['grove pause --all', 'everywhere'],
    ],
    load: () => import('./commands/pause.ts'),
  },
  {
    name: 'resume',
    summary: 'Turn Grove back on after a pause',
    examples: [
      ['grove resume', 'in this project'],
      ['grove resume --all', 'everything that was paused'],
    ],
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check this installation, and show how to fix each problem',
    examples: [
      ['grove doctor', 'every check, problems first'],
      ['grove doctor --settings', 'also list every setting and where its value comes from'],
      ['grove doctor --online', 'also check whether the API is reachable'],
    ],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'init',
    summary: 'Attach Grove to Claude Code (hooks and tools)',
    examples: [
      ['grove init', 'in all your projects'],
      ['grove init --import', "and build memories from this project's git history"],
      ['grove init --project', 'only in this project'],
      ['grove init --proxy', 'also send all requests through the proxy'],
      ['grove init --statusline', "also show goal, score and open questions in Claude Code's status line"],
      ['grove init --dry-run', 'see what would be written'],
    ],
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'unregister',
    summary: 'Detach Grove from Claude Code and restore your settings',
    examples: [
      ['grove unregister', 'from your settings and from this project'],
      ['grove unregister --all', 'from every project'],
    ],
    load: () => import('./commands/unregister.ts'),
  },
  {
    name: 'hook',
    summary: 'Answer one hook of Claude Code (used by the hooks of `grove init`)',
    examples: [['grove hook stop < payload.json', 'what Grove would answer']],
    load: () => import('./commands/hook.ts'),
  },
  {
    name: 'statusline',
    summary: 'Print a status line for Claude Code (used by `grove init --statusline`)',
    examples: [
      ['grove statusline < payload.json', 'goal, score, tokens added, open questions; empty without a session'],
    ],
    load: () => import('./commands/statusline.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve tools for agents over MCP (used by Claude Code)',
    examples: [['claude mcp add grove -- grove mcp', 'add them by hand']],
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'reflect',
    summary: 'Submit what was learned, with options or as JSON',
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
    summary: 'Skip the reflection, with a reason',
    examples: [['grove skip "only a version bump"', 'the waiting session may finish']],
    load: () => import('./commands/skip.ts'),
  },
  {
    name: 'observe',
    summary: 'Leave a note for the next reflection',
    examples: [['grove observe "the order of middlewares matters"', 'from a subagent during its work']],
    load: () => import('./commands/observe.ts'),
  },
  {
    name: 'learnings',
    summary: 'List, show, edit, archive and restore learnings',
    examples: [
      ['grove learnings', 'the active ones of this project'],
      ['grove learnings list database migration', 'those that match'],
      ['grove learnings edit lrn_4be1 --tags db,seed', 'edit one in place'],
      ['grove learnings archive lrn_4be1', 'stop showing it to agents'],
      ['grove learnings rejected', 'what was turned down, and why'],
    ],
    load: () => import('./commands/learnings.ts'),
  },
  {
    name: 'maintain',
    summary: 'Archive unused learnings and repair the usage log',
    examples: [['grove maintain --dry-run', 'see what would be archived']],
    load: () => import('./commands/maintain.ts'),
  },
  {
    name: 'insights',
    summary: 'Summarize the last seven days, and how well learning works here',
    examples: [
      ['grove insights', 'what Grove recalled, corrected and stopped, with suggestions'],
      ['grove insights --days 30', 'day by day, over all projects'],
    ],
    load: () => import('./commands/insights.ts'),
  },
  {
    name: 'feature',
    summary: 'Take a feature from idea to pull request',
    examples: [
      ['grove feature new --title "Add login" --description-file login.md', 'start one in its own worktree'],
      ['grove feature', 'list all, and what each is waiting for'],
      ['grove feature answer add-login 1=A 2="ninety days"', "answer Claude's questions"],
      ['grove feature approve add-login --sign-off', 'approve the current plan'],
    ],
    load: () => import('./commands/feature.ts'),
  },
  {
    name: 'intent',
    summary: 'Declare what agents may write, and answer their requests',
    examples: [
      [
        'grove intent add "Refresh tokens" --scope "src/auth/**"',
        'declare one; from then on agents need an intent to write',
      ],
      ['grove intent check src/auth/token.ts', 'show which intents may write this file'],
      ['grove intent approve', 'list pending requests'],
    ],
    load: () => import('./commands/intent.ts'),
  },
  {
    name: 'trace',
    summary: 'Show which agent changed which lines, and for which intent',
    examples: [
      ['grove trace log --intent INT-001', 'every change for this intent'],
      ['grove trace blame src/auth/token.ts', 'the intent behind each line'],
      ['grove trace verify --since main', 'lines of this branch that no intent accounts for'],
    ],
    load: () => import('./commands/trace.ts'),
  },
  {
    name: 'search',
    summary: 'Search memories and learnings',
    examples: [
      ['grove search token refresh expiry', 'the best matches in this project, each with the reason'],
      ['grove search "ECONNRESET in uploads" --files src/upload.ts --json', 'with a file you are working on, as JSON'],
    ],
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'memories',
    summary: 'List, show, edit and delete memories',
    examples: [
      ['grove memories', 'the newest ones in this project'],
      ['grove memories show mem_4be1', 'show one in full'],
      ['grove memories edit mem_4be1 --tags auth,tokens', 'edit one, for the whole team'],
      ['grove memories delete mem_4be1', 'delete one permanently, for the whole team'],
    ],
    load: () => import('./commands/memories.ts'),
  },
  {
    name: 'import',
    summary: 'Import memories from git history, transcripts or a file',
    examples: [
      ['grove import git', "from this project's git history"],
      ['grove import transcripts', "from Claude Code's earlier sessions in this project"],
      ['grove import memories.jsonl', 'from a file written by `grove export`'],
    ],
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'export',
    summary: 'Export memories as JSON lines',
    examples: [
      ['grove export memories.jsonl', 'those of this project'],
      ['grove export --all', 'all, to standard output'],
    ],
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'team',
    summary: 'Share memories and learnings with a team through PostgreSQL',
    examples: [
      ['grove team join postgresql://ada@db.example/grove', 'share this project; shows what would be sent first'],
      ['grove team share ../other', 'share another project'],
      ['grove team status', 'show what is shared and what is still to be sent'],
      ['grove team leave', 'stop sharing at once'],
      ['grove team forget', 'delete what you sent from the team database'],
    ],
    load: () => import('./commands/team.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for your shell',
    examples: [
      ['source <(grove completion bash)', 'for this shell; add the line to ~/.bashrc to keep it'],
      ['source <(grove completion zsh)', 'for this shell; add the line to ~/.zshrc to keep it'],
      ['grove completion fish > ~/.config/fish/completions/grove.fish', 'for all future shells'],
    ],
    load: () => import('./commands/completion.ts'),
  },
]
