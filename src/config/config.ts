import { TICKET_SYSTEMS } from '#core/gate/session.ts'
import { BACKENDS } from '#core/learning/routing.ts'
import {
  baseUrl,
  dollars,
  leavesOf,
  list,
  listOf,
  oneOf,
  optional,
  port,
  section,
  setting,
  share,
  switches,
  text,
  toggle,
  url,
  type ValuesOf,
  variables,
  whole,
} from './setting.ts'

/**
 * Every setting Grove has. Precedence: command line, environment, project file, user file, these defaults.
 * `docs/configuration.md` is generated from here: run `node scripts/config-table.mjs` after a change.
 */
export const Config = {
  home: setting(text, '~/.grove', {
    env: 'GROVE_HOME',
    only: 'environment',
    about: 'Folder of the database, the user configuration, learnings and logs.',
  }),
  host: setting(text, '127.0.0.1', {
    env: 'HOST',
    only: 'user',
    about: 'Address the web server listens on. Beyond loopback, it serves only browsers paired with a token.',
  }),
  port: setting(port, 3333, { env: 'PORT', about: 'Port of the web page, the API and the hook endpoint.' }),
  allowedHosts: setting(list, [], {
    env: 'GROVE_ALLOWED_HOSTS',
    only: 'user',
    about: 'More host names under which the web server can be reached, for example behind a reverse proxy.',
  }),
  debug: setting({ ...toggle, fromText: wantsDebug }, false, {
    env: 'DEBUG',
    about: 'Log everything, and show stack traces with errors.',
  }),

  proxy: section('The streaming proxy between Claude Code and the API.', {
    host: setting(text, '127.0.0.1', { env: 'PROXY_HOST', only: 'user', about: 'Address the proxy listens on.' }),
    port: setting(port, 8080, { env: 'PROXY_PORT', about: 'Port of the proxy.' }),
    target: setting(baseUrl('https://api.anthropic.com'), 'https://api.anthropic.com', {
      env: 'ANTHROPIC_TARGET',
      only: 'user',
      about: 'The API to which requests are forwarded, including their keys.',
    }),
    startWithClaude: setting(toggle, true, {
      about: 'Start Grove if Claude Code is configured to use the proxy and it is not running. Needs the hooks.',
    }),
    bodyLimitMb: setting(whole(1), 32, { about: 'Largest request to forward, in megabytes.' }),
    connectTimeoutSeconds: setting(whole(1), 30, { about: 'How long a connection to the API may take to open.' }),
    headerTimeoutSeconds: setting(whole(1), 600, { about: 'How long the API may take to start its answer.' }),
    idleTimeoutSeconds: setting(whole(1), 330, {
      about: 'How long an answer may pause before it is aborted. Claude Code itself waits 300 seconds.',
    }),
    drainSeconds: setting(whole(0), 30, { about: 'How long running requests may take to finish when Grove stops.' }),
    httpsProxy: optional(
      { ...url(['http:', 'https:'], 'http://proxy.example:3128'), fromText: withScheme },
      {
        env: ['HTTPS_PROXY', 'https_proxy'],
        only: 'user',
        secret: 'url',
        about: 'Outgoing HTTP proxy for connections to the API.',
      },
    ),
    noProxy: setting(list, [], {
      env: ['NO_PROXY', 'no_proxy'],
      only: 'user',
      about: 'Hosts that are reached without the outgoing proxy.',
    }),
  }),

  database: section('Where sessions, tasks, steps and memories are stored.', {
    url: optional(url(['postgres:', 'postgresql:'], 'postgres://user:password@host/grove'), {
      env: 'GROVE_DATABASE_URL',
      only: 'user',
      secret: 'url',
      about: "The team's PostgreSQL database. Everything is stored locally in `grove.db` first.",
    }),
    projects: setting(list, ['*'], {
      only: 'user',
      about:
        'Projects that may be shared with the team, by id, such as `github.com/acme/*`. Each still needs `grove team share`.',
    }),
    syncSeconds: setting(whole(1), 10, {
      only: 'user',
      about: 'How often the daemon checks for changes from teammates.',
    }),
  }),

  memory: section('What the team remembers of finished work.', {
    user: optional(text, {
      env: 'GROVE_USER',
      only: 'user',
      about: 'The author name of your memories (default: the `user.name` of git).',
    }),
    remember: setting(toggle, true, {
      about:
        'Store memories and learnings. `false`: no memory, no learning, no import, and no text of a session once it is over.',
    }),
    inject: setting(toggle, true, { about: 'Show agents the memories and learnings that are relevant to their task.' }),
  }),

  embeddings: section('A model to search memories by meaning as well as by words. Off unless a URL is set.', {
    url: optional(url(['http:', 'https:'], 'http://127.0.0.1:11434/v1'), {
      env: 'GROVE_EMBEDDINGS_URL',
      only: 'user',
      secret: 'url',
      about: 'Any OpenAI-compatible API, up to and including `/v1`. The text of your memories and prompts goes there.',
    }),
    model: setting(text, 'nomic-embed-text', { only: 'user', about: 'Name of the model.' }),
    apiKey: optional(text, {
      env: 'GROVE_EMBEDDINGS_KEY',
      only: 'user',
      secret: 'whole',
      about: 'API key, if it needs one.',
    }),
    timeoutMs: setting(whole(1), 400, {
      about: 'How long a search waits for its vector before it continues without.',
    }),
  }),

  drift: section('How closely the agent is watched.', {
    checkInterval: setting(whole(1), 3, {
      env: 'DRIFT_CHECK_INTERVAL',
      about: 'The judge checks the work after this many prompts.',
    }),
  }),

  terminal: section("What Grove says in Claude Code's own terminal.", {
    lines: setting(toggle, true, {
      only: 'user',
      about: 'Show one line when Grove recalls something or corrects the agent. `false`: only what needs you is shown.',
    }),
  }),

  goal: section('How Grove knows what the work is.', {
    declare: setting(oneOf('off', 'ask'), 'off', {
      about: 'Whether the agent is asked to declare goal, files and limits with `declare_goal` when a task begins.',
    }),
  }),

  tokens: section('When a long conversation is shortened.', {
    warningShare: setting(share, 0.8, { about: 'Share of the context window at which Grove warns.' }),
    clearShare: setting(share, 0.9, { about: 'Share of the context window at which the conversation is shortened.' }),
    warningThreshold: optional(whole(1), {
      env: 'TOKEN_WARNING_THRESHOLD',
      about: 'The same as a number of tokens for every model; overrides the share.',
    }),
    clearThreshold: optional(whole(1), {
      env: 'TOKEN_CLEAR_THRESHOLD',
      about: 'The same as a number of tokens for every model; overrides the share.',
    }),
  }),

  clear: section('Replacing the old part of a conversation with a summary.', {
    enabled: setting(toggle, true, { env: 'GROVE_CLEAR', about: 'Whether Grove does this.' }),
  }),

  judge: section('What scores, extracts and summarizes.', {
    kind: setting(oneOf('heuristic', 'anthropic', 'claude-cli'), 'heuristic', {
      env: 'GROVE_JUDGE',
      only: 'user',
      about: 'Local rules without model calls, the Anthropic API, or your `claude` command.',
    }),
    model: setting(text, 'claude-haiku-5-5', { only: 'user', about: 'Model of the judge.' }),
    apiKey: optional(text, {
      env: 'ANTHROPIC_API_KEY',
      only: 'user',
      secret: 'whole',
      about: 'Key for the judge kind `anthropic`; unused by the others.',
    }),
    timeoutSeconds: setting(whole(1), 30, { about: 'Timeout for one call of the judge.' }),
    concurrency: setting(whole(1), 2, { about: 'Maximum number of calls at once.' }),
    sessionBudgetUsd: setting(dollars, 0.5, {
      only: 'user',
      about: 'Budget for one agent session.',
    }),
    dayBudgetUsd: setting(dollars, 5, { only: 'user', about: 'Budget for one day.' }),
  }),

  claude: section('The `claude` command that Grove starts, for the judge kind `claude-cli`.', {
    bin: setting(text, 'claude', {
      env: 'GROVE_CLAUDE_BIN',
      only: 'user',
      about: 'Name or path of the command.',
    }),
  }),

  workflow: section('Feature sessions: from a form to a reviewed pull request.', {
    mode: setting(oneOf('worktree', 'in_place'), 'worktree', {
      about: 'Where a feature is built: in its own worktree, or in your checkout, one at a time.',
    }),
    baseBranch: setting(text, 'main', { about: 'The branch that features start from, if the repository has it.' }),
    branchPattern: setting(text, 'feature/{slug}', {
      about: 'Names of feature branches; `{slug}`, `{session-id}` and `{date}` are replaced.',
    }),
    autoPush: setting(toggle, true, { about: 'Push the branch when the pull request is opened, without asking.' }),
    deleteBranchAfterMerge: setting(toggle, true, {
      about: 'Remove worktree and branch once the pull request is merged.',
    }),
    recommendedReviews: setting(whole(0), 10, {
      about: 'How many reviews a plan should have; with fewer, a person has to sign off.',
    }),
    expiryHours: setting(whole(1), 24, { about: 'Hours without an answer after which a waiting feature expires.' }),
    maxCallsPerHour: setting(whole(1), 100, {
      env: 'MAX_CALLS_PER_HOUR',
      about: 'Maximum number of Claude runs that features start per hour.',
    }),
    timeoutMinutes: setting(whole(1), 15, {
      env: 'CLAUDE_TIMEOUT_MINUTES',
      about: 'Maximum length of one Claude run, not counting time spent waiting for a person.',
    }),
    subagentTimeoutMinutes: setting(whole(1), 5, { about: 'How long a subagent may work before it is stopped.' }),
    checkTimeoutMinutes: setting(whole(1), 30, { about: "How long one of a project's own commands may take." }),
    ciPollSeconds: setting(whole(1), 30, { about: 'How often the checks of a pull request are polled.' }),
    ciLimitMinutes: setting(whole(1), 120, { about: 'How long to wait for the checks of a pull request.' }),
    tokenBudget: setting(whole(0), 0, {
      about: 'Tokens after which a feature asks whether to continue; 0 means no budget.',
    }),
    copyUntracked: setting(list, ['CLAUDE.md', '.claude/settings.local.json', '.env', '.env.local'], {
      about: 'Untracked files to copy into a new worktree, as names or globs.',
    }),
    notify: setting(toggle, true, {
      about: 'Show a desktop notification when a feature needs you or reaches another stage.',
    }),
    setup: setting(toggle, true, { about: "Install a project's dependencies in a new worktree." }),
  }),

  ticketing: section('How the learning gate detects what is being worked on.', {
    discovery: setting(listOf(...TICKET_SYSTEMS), [...TICKET_SYSTEMS], {
      about: 'Ticket systems, in the order they are tried.',
    }),
    overrides: section(
      'Single ticket systems.',
      switches(TICKET_SYSTEMS, (name) => `Whether \`${name}\` is tried.`),
    ),
  }),

  backends: section('Where learnings are stored.', {
    discovery: setting(listOf('config', ...BACKENDS), ['config', ...BACKENDS], {
      about: 'Backends, in the order they are tried.',
    }),
    overrides: section(
      'Single backends.',
      switches(BACKENDS, (name) => `Whether \`${name}\` may be used.`),
    ),
    use: setting(listOf(...BACKENDS), [], {
      about: 'The backends to use together; if empty, the first one found. This is `config` in the order above.',
    }),
    mcp: section('A memory server that speaks MCP, as a backend for learnings.', {
      command: setting(list, [], {
        only: 'user',
        about: 'Program and arguments to start the server.',
      }),
      env: setting(variables, [], {
        only: 'user',
        secret: 'whole',
        about: 'Environment variables for it, as `NAME=value`. Of yours it gets only the basic ones.',
      }),
      url: optional(url(['http:', 'https:'], 'http://127.0.0.1:8765/mcp'), {
        only: 'user',
        about: 'Address of a running server; overrides the command.',
      }),
      storeTool: optional(text, { only: 'user', about: 'Its tool for storing; detected automatically if possible.' }),
      searchTool: optional(text, {
        only: 'user',
        about: 'Its tool for searching; detected automatically if possible.',
      }),
      timeoutSeconds: setting(whole(1), 5, { about: 'How long one call may take.' }),
    }),
  }),

  gate: section('The reflection gate at the end of a piece of work.', {
    enabled: setting(toggle, true, { about: 'Ask agents to reflect, and show them what was learned before.' }),
    ask: setting(oneOf('tickets', 'session', 'off'), 'tickets', {
      about:
        'When an agent is asked to reflect: after a closed ticket; `session`: also without tickets, after substantial work in an attended session; or never.',
    }),
    headless: setting(toggle, false, {
      about: 'Also ask in headless runs (`claude -p`, SDKs), whose last answer is their result.',
    }),
    substantial: section('What substantial work is, for `ask = "session"`.', {
      lines: setting(whole(1), 40, { about: 'Minimum number of changed lines.' }),
      files: setting(whole(1), 3, { about: 'Minimum number of changed files, unless tests are among them.' }),
      tests: setting(whole(1), 1, { about: 'Number of changed test files that is enough instead.' }),
    }),
    autoSkip: section('When a change is too small to reflect on.', {
      enabled: setting(toggle, true, { about: 'Do not ask for a reflection after trivial changes.' }),
      lineThreshold: setting(whole(0), 5, { about: 'A change with fewer lines than this is trivial.' }),
      decider: setting(oneOf('agent', 'always', 'never'), 'agent', { about: 'Who decides about a trivial change.' }),
    }),
  }),

  decay: section('When learnings that nobody uses are archived.', {
    passiveDurationDays: setting(whole(1), 90, { about: 'Days without a reference before a learning is archived.' }),
    immunityHitRate: setting(share, 0.8, { about: 'Learnings used at least this often never decay.' }),
  }),

  retrieval: section('Which memories and learnings an agent is shown.', {
    maxInjections: setting(whole(0), 5, { about: 'Maximum number per agent session.' }),
    strategy: setting(oneOf('conservative', 'moderate', 'aggressive'), 'moderate', {
      about: 'How confident Grove must be that they are relevant.',
    }),
  }),

  circuitBreaker: section('Keeps the gate from trapping an agent.', {
    maxBlocks: setting(whole(1), 3, { about: 'After this many blocks in a row, the agent may finish.' }),
    cooldownSeconds: setting(whole(0), 300, { about: 'How long the gate then stays open.' }),
  }),

  guard: section('The intent guard before every write.', {
    approvalWaitSeconds: setting(whole(1), 120, {
      about: 'How long an agent waits for a person to approve; without an answer the action is denied.',
    }),
    askIn: setting(oneOf('auto', 'terminal', 'inbox'), 'auto', {
      about:
        "Where a person is asked: in Claude Code's terminal, in the inbox, or (`auto`) in the terminal if someone is sitting there. With `terminal`, Claude Code's own prompts do not appear in the inbox.",
    }),
    always: setting(list, ['node_modules/', '**/node_modules/'], {
      about: 'Globs inside the project that every intent may write.',
    }),
    temporary: setting(list, ['$TMPDIR', '/tmp'], {
      only: 'user',
      about: 'Folders for temporary files, where every agent may write; `$TMPDIR` is that of this machine.',
    }),
    outside: setting(list, ['~/.claude/plans/**', '/tmp/claude-*/**'], {
      only: 'user',
      about: 'Globs of paths outside the project that every agent may write.',
    }),
    readOnlyTools: setting(list, [], {
      about: 'Globs of tool names that only read, such as `mcp__github__get_*`; unknown tools need an intent.',
    }),
  }),

  log: section('Log files.', {
    level: setting(oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info', {
      env: 'LOG_LEVEL',
      about: 'Lowest level written to the log file.',
    }),
    dir: optional(text, {
      env: 'LOG_DIR',
      only: 'user',
      about: 'Folder for log files; `logs` in the home folder if not set.',
    }),
    file: optional(text, {
      env: 'LOG_FILE',
      only: 'user',
      about: "The daemon's log file; `grove.log` in that folder if not set.",
    }),
    maxSizeMb: setting(whole(1), 50, {
      env: 'LOG_MAX_SIZE_MB',
      about: 'Size at which a new log file is started.',
    }),
    maxFiles: setting(whole(1), 10, { env: 'LOG_MAX_FILES', about: 'How many old log files are kept.' }),
    retentionDays: setting(whole(1), 30, {
      env: 'LOG_RETENTION_DAYS',
      about: 'Days after which old log files are deleted.',
    }),
  }),
}

/** All settings, resolved. */
export type Config = ValuesOf<typeof Config>

/** The same as a flat list, with what is known about each. */
export const leaves = leavesOf(Config)

interface Contradiction {
  key: string
  /** All settings that take part in it. */
  pair: string[]
  expected: string
  found: unknown
}

/** Values that are fine alone and wrong together. */
export function contradictions({ tokens }: Config): Contradiction[] {
  const found: Contradiction[] = []
  if (tokens.clearShare < tokens.warningShare) {
    const expected = `at least tokens.warning_share (${tokens.warningShare})`
    const pair = ['tokens.clear_share', 'tokens.warning_share']
    found.push({ key: 'tokens.clear_share', pair, expected, found: tokens.clearShare })
  }
  if (tokens.clearThreshold && tokens.warningThreshold && tokens.clearThreshold < tokens.warningThreshold) {
    const expected = `at least tokens.warning_threshold (${tokens.warningThreshold})`
    const pair = ['tokens.clear_threshold', 'tokens.warning_threshold']
    found.push({ key: 'tokens.clear_threshold', pair, expected, found: tokens.clearThreshold })
  }
  return found
}

/** Other programs share DEBUG: a value such as `express:*` is ignored, not an error. */
function wantsDebug(text: string): boolean {
  return /^(true|1|yes|on|\*|grove.*)$/i.test(text)
}

/** `proxy.example:3128` is how many tools let the outgoing proxy be written. */
function withScheme(text: string): string {
  return text.includes('://') ? text : `http://${text}`
}
