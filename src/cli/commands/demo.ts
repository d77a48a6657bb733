import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Config } from '#config/config.ts'
import { loadConfig } from '#config/load.ts'
import { Trouble } from '#config/trouble.ts'
import type { Stage } from '#demo/stage.ts'
import type { Simulator } from '#simulator/upstream.ts'
import type { Cli } from '../context.ts'
import { askFeatures } from '../features.ts'
import { note, print } from '../print.ts'

interface Options {
  open: boolean
  terminals?: boolean
  speed: string
}

const PAUSE_MS = 1600
const PATIENCE_MS = 60_000

export function define(command: Command, cli: Cli): void {
  command
    .option('--no-open', 'print the link instead of opening a browser')
    .option('--speed <times>', 'play so many times faster', '1')
    .option('--terminals', 'also print what the terminals of the agents show')
    .action((options: Options) => demo(cli, options))
}

/** Plays a made-up project on the real Grove: everything but the model and the people is what users have. */
async function demo(cli: Cli, { open, speed, terminals }: Options): Promise<void> {
  const times = Number(speed)
  if (!(times > 0)) throw new Trouble(`--speed takes a number above 0, not "${speed}".`, 'For example `--speed 2`.')
  if (process.platform === 'win32')
    throw new Trouble('The demo needs a Unix shell.', 'Run it in WSL, or attach Grove with `grove init`.')
  process.title = 'grove demo'
  const [{ setStage }, { demoScenario }, { startSimulator }, { players }, { closeOnSignal }, { endWithParent }] =
    await Promise.all([
      import('#demo/stage.ts'),
      import('#demo/script.ts'),
      import('#simulator/upstream.ts'),
      import('#demo/play.ts'),
      import('#daemon/process/shutdown.ts'),
      import('#daemon/process/end-with-parent.ts'),
    ])
  const program = realpathSync(process.argv[1]!)
  const closers: (() => unknown)[] = []
  let isOver = false
  const close = async () => {
    isOver = true
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  const closed = closeOnSignal({ close, notice: () => note('The demo ends; everything it made is removed.') })
  endWithParent(cli.env, () => process.emit('SIGTERM', 'SIGTERM'))
  try {
    const stage = await setStage({ program, path: cli.env.PATH, pauseMs: PAUSE_MS / times })
    closers.push(() => stage.remove())
    const simulator = await startSimulator({ scenario: demoScenario(), record: false })
    closers.push(() => simulator.close())
    const { config, link, proxyUrl } = await startGrove(stage, simulator, program, closers)
    await welcome(cli, link, open, config)
    const { keyedProxy } = await import('#daemon/attach/proxy-variables.ts')
    const onTerminal = terminals && { onTerminal: (line: string) => void print(cli.paint.dim(line)) }
    const cast = players({ stage, program, baseUrl: keyedProxy(config, proxyUrl), ...onTerminal })
    closers.push(() => cast.end())
    const say = (text: string, hint: string) => {
      if (!isOver) print(`${cli.paint.green('•')} ${text}\n  ${cli.paint.dim(hint)}`)
    }
    await tell({ ...cli, config: () => config }, stage, cast, say).catch((error: Error) => {
      // A signal in the middle of the demo ends its agents too.
      if (!isOver) throw error
    })
    await closed
  } catch (error) {
    // A signal during the start makes steps fail; those failures are not reported.
    if (!isOver) {
      await close()
      throw error
    }
    await closed
  }
  process.exit(0)
}

interface Running {
  config: Config
  link: string
  proxyUrl: string
}

/** The daemon as everybody starts it, in a home and an environment of its own. */
async function startGrove(
  stage: Stage,
  simulator: Simulator,
  program: string,
  closers: (() => unknown)[],
): Promise<Running> {
  const env = {
    ...stage.env,
    PORT: '0',
    PROXY_PORT: '0',
    ANTHROPIC_TARGET: simulator.url,
    GROVE_CLAUDE_BIN: stage.agent,
    // It watches the process that started it, and goes with it.
    npm_lifecycle_event: 'demo',
  }
  // A group of its own: Ctrl+C is this process's affair, which ends everything in order.
  const daemon = spawn(process.execPath, [program, 'up'], {
    cwd: stage.shop,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let complaint = ''
  daemon.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  closers.push(() => endChild(daemon))
  const [{ linkToPage }, { runningListeners }] = await Promise.all([
    import('#daemon/commands/open.ts'),
    import('#daemon/process/listeners.ts'),
  ])
  const config = loadConfig({ env, cwd: stage.shop })
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(50)) {
    if (daemon.exitCode !== null) break
    const { proxy, web } = runningListeners(config)
    if (!proxy?.url || !web?.url) continue
    const reached = await linkToPage({ config, env, program })
    if ('link' in reached) return { config, link: reached.link, proxyUrl: proxy.url }
    throw new Trouble(`${reached.off}.`, reached.fix)
  }
  const [, why = 'Grove did not start.'] = /^error: ([\s\S]+)/m.exec(complaint) ?? []
  throw new Trouble(why.trim(), 'Run `grove doctor` to see what else is off.')
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function welcome({ paint, env }: Cli, link: string, open: boolean, config: Config): Promise<void> {
  print(
    [
      'The demo plays two minutes in the life of a small shop. It needs no key and',
      'no Claude Code: Grove is real, the model is a script. Ctrl+C removes everything.',
    ].join('\n'),
  )
  const { openBrowser } = await import('#daemon/commands/open.ts')
  const isOpen = open && (await openBrowser(link, config, env))
  print(isOpen ? `\nIt opens in your browser, or here: ${paint.bold(link)}\n` : `\n  Open ${paint.bold(link)}\n`)
  print(paint.dim('The page fills while you watch; the first questions are in its inbox in a moment.\n'))
}

type Cast = ReturnType<typeof import('#demo/play.ts').players>

type Say = (text: string, hint: string) => void

async function tell(cli: Cli, stage: Stage, cast: Cast, say: Say): Promise<void> {
  await cast.importHistory()
  say('The history of the shop becomes memory.', 'Memory: three pieces of work that agents can recall.')
  const { featureForm } = await import('#demo/story/feature.ts')
  await askFeatures(cli, 'POST', '/api/sessions', featureForm(stage.shop))
  say('A feature begins: pay with a gift card.', 'Inbox: it asks you two questions, and later for your approval.')
  say(
    'An agent is asked to fix the cart total.',
    'Agents: it recalls a teammate’s work, wanders off, and is asked back.',
  )
  await cast.session('total')
  say(
    'The cart total is right, and a learning is kept.',
    'Learnings: what the next session should know about rounding.',
  )
  say('Another agent retries failed captures.', 'Intents: it may write src/capture/** and nothing else.')
  await cast.session('capture')
  say('Its write to the refund limit was denied.', 'Agents: the refusal, and how the agent went on.')
  say('A third agent wants to raise the refund limit.', 'Inbox: the change waits for your word, with its diff.')
  await cast.session('refunds')
  say(
    'You have answered, and the agent has finished.',
    'The feature goes on as long as you like; Ctrl+C ends the demo.',
  )
}
