import type { GuardedProject, TreeChange } from '#core/ports/guard.ts'
import type { Contribution } from '../../handle-hook.ts'
import { SLOTS } from '../../state-slots.ts'
import { isRuleFile } from '../before-tool/scope-check.ts'
import type { Agent } from '../intents/active-intent.ts'
import { noteSeen, noteWrote } from '../stale-files/seen-files.ts'
import { type RawChange, traceChange } from '../trace/trace-change.ts'
import type { GuardWorld } from '../world.ts'
import { repositoryText } from './repository-text.ts'
import { endWindow, lookAgain, mayHaveWritten, type Seen, targetAt } from './tool-windows.ts'
import { branchText, movedText, noteViolation, type ViolatedFile, violationText } from './violations.ts'

/** After a command, or while it goes on: compare, trace, and tell what lies outside the scope. */
export async function afterWindow(
  world: GuardWorld,
  toolUseId: string,
  when: { isOver?: boolean; turnEnds?: boolean },
): Promise<Contribution | undefined> {
  const seen = await lookAgain(world, toolUseId, when)
  return seen && tellSeen(world, seen)
}

/** Records what the last look has shown, and tells what of it lies outside the scope. */
export async function tellSeen(world: GuardWorld, seen: Seen, isUndecided = false): Promise<Contribution | undefined> {
  const said = await recordSeen(world, seen, isUndecided)
  await endWindow(world, seen)
  return said
}

async function recordSeen(world: GuardWorld, seen: Seen, isUndecided: boolean): Promise<Contribution | undefined> {
  const { window, moved } = seen
  // A write that was not approved is attributed to no intent, whatever its path.
  const [found, outside] = isUndecided ? [[], [...seen.inside, ...seen.outside]] : [seen.inside, seen.outside]
  // Between two turns people work too: changes that the command does not name are reported, but attributed to no agent.
  const isTraced = !window.isIdle || window.mayWrite !== undefined
  const inside = isTraced ? found : []
  const changes = await rawChanges(world, seen, [...inside, ...outside])
  const author = {
    sessionId: window.sessionId,
    ...(window.agentId && { agentId: window.agentId }),
    tool: window.tool,
    toolUseId: window.toolUseId,
    ...(window.transcript && { transcript: window.transcript }),
    ...(window.command && { command: window.command }),
    ...(window.selection && { selection: window.selection }),
  }
  await noteAllSeen(world, author, window.project, inside)
  await traceChange(world, window.project, author, changes.slice(0, inside.length))
  // A file that the command does not name is reported, since the reading may be wrong, but not recorded as this agent's
  // work.
  const strayed = changes
    .slice(inside.length)
    .filter(({ path }) => isTraced && mayHaveWritten(window, targetAt(world, window.project, path).absolute))
  await traceChange(world, window.project, author, strayed, true)
  const aside = [moved.length > 0 ? movedText(seen, window.tool) : branchText(seen), repositoryText(seen, window.tool)]
    .filter((text) => text !== undefined)
    .join('\n\n')
  if (outside.length + seen.setUp.length === 0) {
    if (!seen.goesOn) await dropUnneeded(world, window.toolUseId)
    return aside === '' ? undefined : { context: aside }
  }
  const changed = outside.map((change) => violatedFile(world, seen, change))
  const files = [
    ...(isUndecided ? changed.map((one) => ({ ...one, first: true as const })) : changed),
    ...setUpFiles(world, seen),
  ]
  const { sessionId, agentId, selection, project, tool } = window
  const intentId = selection?.intentId
  const violation = { sessionId, ...(agentId && { agentId }), root: project.root, ...(intentId && { intentId }) }
  await noteViolation(world, window.toolUseId, { ...violation, at: world.clock.now(), files })
  const told = violationText({ ...(intentId && { intentId }), files }, tool, isUndecided)
  return { context: aside === '' ? told : `${told}\n\n${aside}` }
}

export async function rawChanges(
  world: GuardWorld,
  { window }: Pick<Seen, 'window'>,
  changes: readonly TreeChange[],
): Promise<RawChange[]> {
  const { project, copies, tree } = window
  const texts = await world.tree.textsBefore(project.root, changes, copies, tree)
  const raw: RawChange[] = []
  for (const { path, before: was, after: is } of changes) {
    const now = is === null ? undefined : await world.files.read(targetAt(world, project, path).absolute)
    const before = texts.get(path)
    raw.push({
      path,
      change: is === null ? 'delete' : was === null ? 'create' : 'modify',
      ...(before !== undefined && { before }),
      ...(now?.text !== undefined && { after: now.text }),
      ...(now && { afterHash: now.hash }),
    })
  }
  return raw
}

/** What an agent's own command did to a file is no news to that agent. */
async function noteAllSeen(world: GuardWorld, agent: Agent, project: GuardedProject, changes: readonly TreeChange[]) {
  const files = await Promise.all(
    changes.slice(0, 500).map(async ({ path }) => {
      const { absolute } = targetAt(world, project, path)
      return { path: absolute, content: (await world.files.read(absolute)) ?? null, own: true }
    }),
  )
  await noteSeen(world, agent, files)
  for (const { path, content } of files) await noteWrote(world, agent, path, content?.hash ?? '')
}

function setUpFiles(world: GuardWorld, { window, setUp }: Seen): ViolatedFile[] {
  return setUp.map(({ path, before }) => {
    const copy = window.setUp?.copies[path]
    const shown = targetAt(world, window.project, path)
    return {
      path: shown.shown,
      absolute: path,
      before,
      ...(copy && { copy }),
      first: true as const,
      isSetUp: true as const,
    }
  })
}

function violatedFile(world: GuardWorld, { window }: Seen, change: TreeChange): ViolatedFile {
  const { path, before } = change
  const copy = window.copies[path]
  const module = Object.keys(window.tree.nested ?? {}).find((one) => path.startsWith(`${one}/`))
  const head = module ? window.tree.nested?.[module]?.head : window.tree.head
  return {
    path,
    ...(module && { module }),
    absolute: targetAt(world, window.project, path).absolute,
    ...(isRuleFile(world, window.project, targetAt(world, window.project, path)) && { first: true as const }),
    ...(before !== undefined && { before }),
    ...(copy && { copy }),
    ...(head && { head }),
  }
}

/** Drops the copies of a call, unless a violation still needs them to restore files. */
async function dropUnneeded(world: GuardWorld, toolUseId: string): Promise<void> {
  if (!(await world.states.get(SLOTS.guardViolation, toolUseId))) await world.tree.drop(toolUseId)
}
