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
    about: 'Address the web server listens on. Anything but loopback is served only to browsers paired with a token.',
  }),
  port: setting(port, 3333, { env: 'PORT', about: 'Port of the web page, the API and the hook endpoint.' }),
  allowedHosts: setting(list, [], {
    env: 'GROVE_ALLOWED_HOSTS',
    only: 'user',
    about: 'Further host names under which the web server may be addressed, for example behind a reverse proxy.',
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
      about: 'The API that requests are forwarded to, with the keys they carry.',
    }),
    startWithClaude: setting(toggle, true, {
      about: 'Start Grove when Claude Code is pointed at the proxy and nobody is there. Needs the hooks.',
    }),
    bodyLimitMb: setting(whole(1), 32, { about: 'Largest request that is forwarded, in megabytes.' }),
    connectTimeoutSeconds: setting(whole(1), 30, { about: 'How long a connection to the API may take to open.' }),
    headerTimeoutSeconds: setting(whole(1), 600, { about: 'How long the API may take to begin its answer.' }),
    idleTimeoutSeconds: setting(whole(1), 330, {
      about: 'How long an answer may be silent before it is given up. Claude Code itself waits 300 seconds.',
    }),
    drainSeconds: setting(whole(0), 30, { about: 'How long open answers may take to finish when Grove is stopped.' }),
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

  database: section('Where sessions, tasks, steps and memories are kept.', {
    url: optional(url(['postgres:', 'postgresql:'], 'postgres://user:password@host/grove'), {
      env: 'GROVE_DATABASE_URL',
      only: 'user',
      secret: 'url',
      about:
        "The team's PostgreSQL, with which memories are shared. Everything is kept in `grove.db` in the home folder first.",
    }),
    projects: setting(list, ['*'], {
      only: 'user',
      about:
        'Which projects may be shared with the team, by id, such as `github.com/acme/*`. Each is shared only by `grove team share`.',
    }),
    syncSeconds: setting(whole(1), 10, {
      only: 'user',
      about: 'How often the daemon looks for what teammates have shared.',
    }),
  }),

  memory: section('What the team remembers of finished work.', {
    user: optional(text, {
      env: 'GROVE_USER',
      only: 'user',
      about: 'The name that your memories carry. Without it the one that git knows (`user.name`).',
    }),
    remember: setting(toggle, true, {
      about:
        'Keep what was done here. `false`: no memory, no learning, and no text of a session once it is over; imports refuse.',
    }),
    inject: setting(toggle, true, { about: 'Show agents the memories and learnings that bear on their task.' }),
  }),

  embeddings: section('A model that finds memories by meaning as well as by words. Off unless there is a URL.', {
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
      about: 'Key that is sent along, if it needs one.',
    }),
    timeoutMs: setting(whole(1), 400, {
      about: 'A question waits no longer for its vector; it is then answered by words, files and time alone.',
    }),
  }),

  drift: section('How closely the agent is watched.', {
    checkInterval: setting(whole(1), 3, {
      env: 'DRIFT_CHECK_INTERVAL',
      about: 'The judge looks at the work after every so many prompts.',
    }),
  }),

  terminal: section("What Grove says in Claude Code's own terminal.", {
    lines: setting(toggle, true, {
      only: 'user',
      about:
        'Say in one line when Grove recalled something or asked the agent back. `false`: only what needs you is said there.',
    }),
  }),

  goal: section('How Grove knows what the work is.', {
    declare: setting(oneOf('off', 'ask'), 'off', {
      about: 'Whether the agent is asked to declare goal, files and limits with `declare_goal` when a task begins.',
    }),
  }),

  tokens: section('When a long conversation is shortened.', {
    warningShare: setting(share, 0.8, { about: "Share of the model's window from which a warning is given." }),
    clearShare: setting(share, 0.9, { about: "Share of the model's window from which the conversation is cleared." }),
    warningThreshold: optional(whole(1), {
      env: 'TOKEN_WARNING_THRESHOLD',
      about: 'The same as a number of tokens, whatever the model; wins over the share.',
    }),
    clearThreshold: optional(whole(1), {
      env: 'TOKEN_CLEAR_THRESHOLD',
      about: 'The same as a number of tokens, whatever the model; wins over the share.',
    }),
  }),

  clear: section('Replacing an old conversation by its summary.', {
    enabled: setting(toggle, true, { env: 'GROVE_CLEAR', about: 'Whether Grove may do that at all.' }),
  }),

  judge: section('What scores, extracts and summarises.', {
    kind: setting(oneOf('heuristic', 'anthropic', 'claude-cli'), 'heuristic', {
      env: 'GROVE_JUDGE',
      only: 'user',
      about: 'Rules on this machine without any model call, the Anthropic API, or your `claude` command.',
    }),
    model: setting(text, 'claude-haiku-5-5', { only: 'user', about: 'Model the judge asks.' }),
    apiKey: optional(text, {
      env: 'ANTHROPIC_API_KEY',
      only: 'user',
      secret: 'whole',
      about: 'Key for the judge kind `anthropic`; unused by the others.',
    }),
    timeoutSeconds: setting(whole(1), 30, { about: 'How long one question to the judge may take.' }),
    concurrency: setting(whole(1), 2, { about: 'How many questions may be open at once.' }),
    sessionBudgetUsd: setting(dollars, 0.5, {
      only: 'user',
      about: 'Most that the judge may cost in one agent session.',
    }),
    dayBudgetUsd: setting(dollars, 5, { only: 'user', about: 'Most that the judge may cost in one day.' }),
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
      about: 'Where a feature is worked on: in a worktree of its own, or in your checkout, one at a time.',
    }),
    baseBranch: setting(text, 'main', { about: 'The branch that features begin from, where the repository has it.' }),
    branchPattern: setting(text, 'feature/{slug}', {
      about: 'How feature branches are named; `{slug}`, `{session-id}` and `{date}` are filled in.',
    }),
    autoPush: setting(toggle, true, { about: 'Push the branch when the pull request is opened, without asking.' }),
    deleteBranchAfterMerge: setting(toggle, true, {
      about: 'Remove worktree and branch once the pull request is merged.',
    }),
    recommendedReviews: setting(whole(0), 10, {
      about: 'How many reviews a plan should have; with fewer a person signs off.',
    }),
    expiryHours: setting(whole(1), 24, { about: 'After how many hours without a word a waiting session expires.' }),
    maxCallsPerHour: setting(whole(1), 100, {
      env: 'MAX_CALLS_PER_HOUR',
      about: 'Most Claude runs that feature sessions begin in one hour.',
    }),
    timeoutMinutes: setting(whole(1), 15, {
      env: 'CLAUDE_TIMEOUT_MINUTES',
      about: 'How long one run of Claude may work; waiting for a person does not count.',
    }),
    subagentTimeoutMinutes: setting(whole(1), 5, { about: 'How long a subagent may work before it is stopped.' }),
    checkTimeoutMinutes: setting(whole(1), 30, { about: "How long one of a project's own commands may take." }),
    ciPollSeconds: setting(whole(1), 30, { about: 'How often the checks of a pull request are looked at.' }),
    ciLimitMinutes: setting(whole(1), 120, { about: 'How long the checks of a pull request are waited for.' }),
    tokenBudget: setting(whole(0), 0, { about: 'Tokens after which a session asks whether to go on; 0 is no budget.' }),
    copyUntracked: setting(list, ['CLAUDE.md', '.claude/settings.local.json', '.env', '.env.local'], {
      about: 'Untracked files that are copied into a new worktree, as names or globs.',
    }),
    notify: setting(toggle, true, {
      about: 'Say on the desktop when a feature session wants you, or has come to another stage.',
    }),
    setup: setting(toggle, true, { about: "Install a project's dependencies in a new worktree." }),
  }),

  ticketing: section('How the learning gate finds out what is being worked on.', {
    discovery: setting(listOf(...TICKET_SYSTEMS), [...TICKET_SYSTEMS], {
      about: 'Ticket systems, in the order they are tried.',
    }),
    overrides: section(
      'Single ticket systems.',
      switches(TICKET_SYSTEMS, (name) => `Whether \`${name}\` is tried.`),
    ),
  }),

  backends: section('Where learnings are kept.', {
    discovery: setting(listOf('config', ...BACKENDS), ['config', ...BACKENDS], {
      about: 'Backends, in the order they are tried.',
    }),
    overrides: section(
      'Single backends.',
      switches(BACKENDS, (name) => `Whether \`${name}\` may be used.`),
    ),
    use: setting(listOf(...BACKENDS), [], {
      about:
        'The backends to use, all of them; without any, the first that is found. That is `config` in the order above.',
    }),
    mcp: section('A memory server that speaks MCP, as a backend for learnings.', {
      command: setting(list, [], {
        only: 'user',
        about: 'Program and arguments that start the server.',
      }),
      env: setting(variables, [], {
        only: 'user',
        secret: 'whole',
        about: 'Variables for it, as `NAME=value`. It is given none of yours beyond those that every program needs.',
      }),
      url: optional(url(['http:', 'https:'], 'http://127.0.0.1:8765/mcp'), {
        only: 'user',
        about: 'Address of a server that runs already; wins over the command.',
      }),
      storeTool: optional(text, { only: 'user', about: 'Its tool that stores; recognised by itself where possible.' }),
      searchTool: optional(text, {
        only: 'user',
        about: 'Its tool that searches; recognised by itself where possible.',
      }),
      timeoutSeconds: setting(whole(1), 5, { about: 'How long one call may take.' }),
    }),
  }),

  gate: section('The reflection gate at the end of a piece of work.', {
    enabled: setting(toggle, true, { about: 'Ask the agent to reflect, and show it what was learned before.' }),
    ask: setting(oneOf('tickets', 'session', 'off'), 'tickets', {
      about:
        'When an agent is asked: when it has closed a ticket; `session`: also without tickets, after substantial work in a session with a person before it; or never.',
    }),
    headless: setting(toggle, false, {
      about: 'Also ask in runs that nobody sits before (`claude -p`, SDKs), whose last answer is their result.',
    }),
    substantial: section('What substantial work is, for `ask = "session"`.', {
      lines: setting(whole(1), 40, { about: 'At least so many changed lines.' }),
      files: setting(whole(1), 3, { about: 'In so many files at least, or with tests.' }),
      tests: setting(whole(1), 1, { about: 'So many of the files are tests; then fewer files are enough.' }),
    }),
    autoSkip: section('When a change is too small to reflect on.', {
      enabled: setting(toggle, true, { about: 'Let trivial changes pass without reflection.' }),
      lineThreshold: setting(whole(0), 5, { about: 'A change with fewer lines than this is trivial.' }),
      decider: setting(oneOf('agent', 'always', 'never'), 'agent', { about: 'Who decides about a trivial change.' }),
    }),
  }),

  decay: section('When learnings that nobody uses are archived.', {
    passiveDurationDays: setting(whole(1), 90, { about: 'Days without a reference before a learning is archived.' }),
    immunityHitRate: setting(share, 0.8, { about: 'Learnings used at least this often never decay.' }),
  }),

  retrieval: section('Which learnings an agent is shown.', {
    maxInjections: setting(whole(0), 5, { about: 'At most so many per agent session.' }),
    strategy: setting(oneOf('conservative', 'moderate', 'aggressive'), 'moderate', {
      about: 'How sure Grove must be of them.',
    }),
  }),

  circuitBreaker: section('What keeps the gate from trapping anyone.', {
    maxBlocks: setting(whole(1), 3, { about: 'After so many blocks in a row the agent is let go.' }),
    cooldownSeconds: setting(whole(0), 300, { about: 'How long the gate then stays open.' }),
  }),

  guard: section('The intent guard before every write.', {
    approvalWaitSeconds: setting(whole(1), 120, {
      about: 'How long an agent waits for a person to approve; without an answer the action is denied.',
    }),
    askIn: setting(oneOf('auto', 'terminal', 'inbox'), 'auto', {
      about:
        "Where a person is asked: in the client's own terminal, in the inbox, or in the terminal if one sits there. With `terminal` the client's own prompts stay out of the inbox.",
    }),
    always: setting(list, ['node_modules/', '**/node_modules/'], {
      about: 'Globs inside the project that every intent may write.',
    }),
    temporary: setting(list, ['$TMPDIR', '/tmp'], {
      only: 'user',
      about: 'Folders for passing things, where every agent may write; `$TMPDIR` is the one of this machine.',
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
      about: 'From which level on messages are written to the log file.',
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
      about: 'Size at which a log file is set aside and a new one begun.',
    }),
    maxFiles: setting(whole(1), 10, { env: 'LOG_MAX_FILES', about: 'How many old log files are kept.' }),
    retentionDays: setting(whole(1), 30, {
      env: 'LOG_RETENTION_DAYS',
      about: 'Old log files are deleted after so many days.',
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

/** DEBUG is a variable many programs share, so `DEBUG=express:*` is not an error here, it is simply not for us. */
function wantsDebug(text: string): boolean {
  return /^(true|1|yes|on|\*|grove.*)$/i.test(text)
}

/** `proxy.example:3128` is how many tools let the outgoing proxy be written. */
function withScheme(text: string): string {
  return text.includes('://') ? text : `http://${text}`
}
