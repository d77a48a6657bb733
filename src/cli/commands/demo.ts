import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Config } from '#config/config.ts'
import { loadConfig } from '#config/load.ts'
import { Trouble } from '#config/trouble.ts'
import type { Stage } from '#demo/stage.ts'
import type { sessionRoutes } from '#protocol/api/sessions.ts'
import type { DemoScene } from '#protocol/api/settings.ts'
import type { Simulator } from '#simulator/upstream.ts'
import type { Cli } from '../context.ts'
import { askFeatures } from '../features.ts'
import { above } from '../numbers.ts'
import { note, print } from '../print.ts'

interface Options {
  open: boolean
  terminals?: boolean
  speed: number
}

const PAUSE_MS = 1600
/** Time to read what the page says of a scene before the next one. */
const SCENE_MS = 6000
const PATIENCE_MS = 60_000

export function define(command: Command, cli: Cli): void {
  command
    .option('--no-open', 'print the link instead of opening a browser')
    .option('--speed <times>', 'playback speed', above(0), 1)
    .option('--terminals', "also print the agents' terminals")
    .action((options: Options) => demo(cli, options))
}

/** Plays a made-up project on the real Grove: everything but the model and the people is what users have. */
async function demo(cli: Cli, { open, speed, terminals }: Options): Promise<void> {
  if (process.platform === 'win32')
    throw new Trouble('The demo needs a Unix shell.', 'Run it in WSL, or attach Grove with `grove init`.')
  process.title = 'grove demo'
  // The page refuses clicks of a browser that an agent has opened.
  const { refuseAgents } = await import('#daemon/process/refuse-agents.ts')
  await refuseAgents(undefined, cli.env, 'answer what the demo asks')
  const [
    { onPage, setStage },
    { demoScenario },
    { startSimulator },
    { players },
    { closeOnSignal },
    { endWithParent },
  ] = await Promise.all([
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
  const closed = closeOnSignal({ close, notice: () => note(FAREWELL) })
  endWithParent(cli.env, () => process.emit('SIGTERM', 'SIGTERM'))
  try {
    const stage = await setStage({ program, path: cli.env.PATH, pauseMs: PAUSE_MS / speed })
    closers.push(() => stage.remove())
    const simulator = await startSimulator({ scenario: demoScenario(), record: false })
    closers.push(() => simulator.close())
    const { config, link, proxyUrl } = await startGrove(stage, simulator, program, closers)
    await welcome(cli, link, open, config)
    const { keyedProxy } = await import('#daemon/attach/proxy-variables.ts')
    const onTerminal = terminals && { onTerminal: (line: string) => void print(cli.paint.dim(line)) }
    const cast = players({ stage, program, baseUrl: keyedProxy(config, proxyUrl), ...onTerminal })
    closers.push(() => cast.end())
    const showOnPage = onPage(stage, SCENE_MS / speed)
    const say = (scene: DemoScene) => {
      if (isOver) return
      print(`${cli.paint.green('•')} ${scene.text}\n  ${cli.paint.dim(`${scene.place}: ${scene.hint}.`)}`)
      showOnPage(scene)
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

const FAREWELL = `The demo is over, and everything it created is removed. To use Grove in your own project:

  npm i -g grovekeeper
  grove init --import`

interface Running {
  config: Config
  link: string
  proxyUrl: string
}

/** Starts the daemon as `grove up` does, in a home and an environment of its own. */
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
    // The daemon watches the process that started it, and ends with it.
    npm_lifecycle_event: 'demo',
  }
  // A process group of its own: Ctrl+C reaches only this process, which then ends everything in order.
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
  throw new Trouble(why.trim(), 'Run `grove doctor` to see what else is wrong.')
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
      'Two minutes in the life of a small shop. Grove is real, the model is a script,',
      'so no API key and no Claude Code are needed. Ctrl+C removes everything.',
    ].join('\n'),
  )
  const { openBrowser } = await import('#daemon/commands/open.ts')
  const isOpen = open && (await openBrowser(link, config, env))
  print(
    isOpen
      ? `\nOpening your browser. If nothing happens, open ${paint.bold(link)}\n`
      : `\n  Open ${paint.bold(link)}\n`,
  )
  print(paint.dim('Watch the page fill up. The first questions arrive in its inbox in a moment.\n'))
}

type Cast = ReturnType<typeof import('#demo/play.ts').players>

type Say = (scene: DemoScene) => void

async function tell(cli: Cli, stage: Stage, cast: Cast, say: Say): Promise<void> {
  await cast.importHistory()
  say({ text: 'The git history of a shop becomes memory.', place: 'Memory', hint: 'three pieces of finished work' })
  const { featureForm } = await import('#demo/story/feature.ts')
  await askFeatures<typeof sessionRoutes.create>(cli, 'POST', '/api/sessions', featureForm(stage.shop))
  const feature = 'two questions for you, and later a plan to approve'
  say({ text: 'A feature starts: pay with a gift card.', place: 'Inbox', hint: feature })
  const total = 'it gets what a teammate found out, drifts off into the CI pipeline, and is steered back'
  say({ text: 'An agent fixes the cart total.', place: 'Agents', hint: total })
  await cast.session('total')
  const learning = 'what the next session should know about rounding'
  say({ text: 'The cart total is fixed, and a learning is kept.', place: 'Learnings', hint: learning })
  const capture = 'it may write only src/capture/** and its tests'
  say({ text: 'Another agent adds retries for failed payments.', place: 'Intents', hint: capture })
  await cast.session('capture')
  say({
    text: 'Its write to the refund limit was denied.',
    place: 'Agents',
    hint: 'the refusal, and how the agent continued',
  })
  const refunds = 'the change waits for your approval, with its diff'
  say({ text: 'A third agent wants to raise the refund limit.', place: 'Inbox', hint: refunds })
  await cast.session('refunds')
  const done = 'the feature continues as long as you like'
  say({ text: 'You have answered, and the agent has finished.', place: 'Inbox', hint: done })
  const own = 'In your own project: npm i -g grovekeeper, then grove init --import.'
  say({ text: own, place: 'Insights', hint: 'what Grove recalled, corrected and stopped here' })
}
