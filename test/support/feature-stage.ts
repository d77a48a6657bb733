import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import type { AgentDriver } from '../../src/core/ports/agent-driver.ts'
import type { Clock } from '../../src/core/ports/runtime.ts'
import { workflowEngine } from '../../src/daemon/compose/workflow.ts'
import { openWorld } from '../../src/daemon/compose/world.ts'
import type { SessionForm } from '../../src/protocol/api/session-form.ts'
import type { LiveEvent } from '../../src/protocol/live.ts'
import { isRefusal } from '../../src/protocol/refusal.ts'
import { begin } from '../../src/workflow/begin.ts'
import type { Engine } from '../../src/workflow/engine.ts'
import type { Feature } from '../../src/workflow/feature.ts'
import type { WorkflowWorld } from '../../src/workflow/world.ts'
import { createProjectWithRemote } from './bare-remote.ts'
import { createProject, type Project, tempDir } from './project.ts'

type Store = WorkflowWorld['store']
type WhenFinished = (work: () => Promise<void> | void) => void

/** Feature sessions on a real repository, with a real store and real git, and an agent of one's own. */
export interface FeatureStage {
  engine: Engine
  project: Project
  home: string
  events: LiveEvent[]
  trouble: string[]
  begin(form?: Partial<SessionForm>): Promise<Feature>
  /** Another engine on the same home, as after a restart. */
  restart(driver: AgentDriver, store?: Store): Promise<Engine>
}

interface Options {
  settings?: string
  files?: Record<string, string>
  store?: (home: string) => Store
  clock?: Clock
  /** Where `gh` is found; the repository then has a remote. */
  env?: Record<string, string>
  /** A home and a project that are there already, and stay. */
  at?: { home: string; project: Project }
}

export async function setFeatureStage(
  whenFinished: WhenFinished,
  driver: AgentDriver,
  { settings = '', files = {}, store, env, clock, at }: Options = {},
): Promise<FeatureStage> {
  const { home, project } = at ?? (await makePlace(whenFinished, files, env !== undefined))
  await writeFile(
    join(home, 'config.toml'),
    `[workflow]\n${settings.includes('setup =') ? '' : 'setup = false\n'}recommended_reviews = 2\n${settings}`,
  )
  const config = loadConfig({ env: { GROVE_HOME: home }, cwd: home })
  const events: LiveEvent[] = []
  const trouble: string[] = []
  const note = (fields: object, text: string) =>
    void trouble.push(`${text} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? value.stack : value))}`)
  const log = { debug() {}, info() {}, warn: note, error: note }
  const open = async (agent: AgentDriver, kept?: Store) => {
    const world = openWorld({ config, log, ...(clock && { clock }) })
    whenFinished(() => world.close())
    const [{ states }, guard, memory, learning, hookParts] = await Promise.all([
      world.store(),
      world.guard(),
      world.memory(),
      world.learning(),
      world.hookParts(),
    ])
    const parts = { config, states, guard, memory, learning, hookParts, log, clock: world.clock }
    const engine = workflowEngine({
      ...parts,
      publish: (event) => void events.push(event),
      driver: agent,
      ...(kept && { store: kept }),
      ...(env && { env }),
    })
    await engine.start()
    whenFinished(() => engine.close())
    return engine
  }
  const engine = await open(driver, store?.(home))
  return {
    engine,
    project,
    home,
    events,
    trouble,
    restart: open,
    async begin(form = {}) {
      const feature = await begin(engine, {
        title: 'Add login',
        projectPath: project.dir,
        description: 'People can log in.',
        acceptanceCriteria: [{ text: 'All tests pass', checked: true, type: 'automated' }],
        affectedFiles: [],
        technicalNotes: '',
        options: {},
        ...form,
      })
      if (isRefusal(feature)) throw new Error(feature.message)
      return feature
    },
  }
}

async function makePlace(whenFinished: WhenFinished, files: Record<string, string>, hasRemote: boolean) {
  const create = hasRemote ? createProjectWithRemote : createProject
  const project = await create({
    'package.json': PACKAGE,
    'test.mjs': 'import "./src/a.mjs"\n',
    'src/a.mjs': '',
    ...files,
  })
  whenFinished(project.remove)
  const home = await tempDir('grove-home')
  whenFinished(async () => {
    for (const folder of [home, `${home}-worktrees`]) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return { home, project }
}

const PACKAGE = JSON.stringify({ name: 'app', version: '1.0.0', scripts: { test: 'node test.mjs' } })

/** Resolves as soon as it holds; a session that comes to a hold that nobody expects says so. */
export async function until(feature: Feature, holds: (feature: Feature) => boolean): Promise<void> {
  for (let look = 0; look < 1200; look++) {
    if (holds(feature)) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  const { status, currentStage, task, hold } = feature.session
  throw new Error(`still ${JSON.stringify({ status, currentStage, task, hold })}`)
}
