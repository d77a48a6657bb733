import { type Denial, guardsOwn, outOfScope } from '#core/intent/denial.ts'
import type { Intent } from '#core/intent/intent.ts'
import { isSecretFile } from '#core/intent/secret-file.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { GuardWorld } from '../world.ts'
import type { Target } from './targets.ts'

type Needs = Pick<GuardWorld, 'inScope' | 'settings' | 'paths' | 'projects' | 'tree'>
type Placed = Omit<Needs, 'tree'>

/** The one decision: a target is allowed exactly when its resolved form lies in the scope. Undefined: all are. */
export async function scopeDenial(
  world: Needs,
  project: GuardedProject,
  intent: Intent,
  targets: readonly Target[],
): Promise<Denial | undefined> {
  const own = targets.filter((target) => isGuardsOwn(world, project, intent, target))
  if (own.length > 0) return guardsOwn(shown(own))
  const out = await notFree(
    world,
    project,
    targets.filter((target) => !isInScope(world, project, intent, target)),
  )
  return out.length > 0 ? outOfScope(intent, shown(out)) : undefined
}

/** Leaves out targets that need no intent, because the project ignores them. */
async function notFree(world: Needs, project: GuardedProject, targets: Target[]): Promise<Target[]> {
  const asked = targets.flatMap(({ relative, outside, extent }) =>
    outside || !relative || isSecretFile(relative) ? [] : [extent === 'file' ? relative : `${relative}/`],
  )
  if (asked.length === 0) return targets
  const ignored = await world.tree.ignored(project.root, asked)
  return targets.filter(({ relative = '' }) => !ignored.has(relative) && !ignored.has(`${relative}/`))
}

/** What is left of the targets when those are taken away that need no intent. Undefined: Grove's own are among them. */
export async function boundTargets(world: Needs, project: GuardedProject, targets: readonly Target[]) {
  const nothing = { ownedScope: [] }
  if (targets.some((target) => isGuardsOwn(world, project, nothing, target))) return [...targets]
  return notFree(
    world,
    project,
    targets.filter((target) => !isInScope(world, project, nothing, target)),
  )
}

function shown(targets: readonly Target[]): string[] {
  return [...new Set(targets.map((target) => target.shown))]
}

const DEVICE = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/

/** Whether the target lies in the intent's scope, or needs no intent. */
export function isInScope(
  world: Placed,
  project: GuardedProject,
  { ownedScope }: Pick<Intent, 'ownedScope'>,
  { relative, absolute, outside, extent }: Target,
): boolean {
  const { inScope, paths, projects } = world
  const rules = world.settings(project)
  if (outside || relative === undefined) {
    return (
      DEVICE.test(absolute) ||
      rules.outside.some((glob) => paths.matches(glob, absolute)) ||
      isPassing(world, rules.temporary, project.root, absolute, extent)
    )
  }
  const options = { caseInsensitive: projects.ignoresCase(project.root), extent }
  return (
    inScope(ownedScope, relative, options).allowed ||
    // Every folder may be on the way to such a place; a folder must be one.
    (rules.always.length > 0 &&
      inScope(rules.always, relative, { ...options, extent: extent === 'folder' ? 'tree' : extent }).allowed)
  )
}

/**
 * Whether it lies in a temporary folder. A project that itself lies in one, in a folder of its own, has neighbours there
 * that are not for passing things.
 */
function isPassing(
  { projects }: Placed,
  folders: readonly string[],
  root: string,
  path: string,
  extent: Target['extent'],
): boolean {
  const folder = folders.find((one) => path === one || path.startsWith(`${one}/`))
  if (folder === undefined) return false
  // Something new beside the folder that the project lies in.
  if (path === folder && extent === 'folder') return true
  if (root.startsWith(`${path}/`)) return false
  const beside = root.slice(0, root.lastIndexOf('/'))
  if (beside.startsWith(`${folder}/`) && path.startsWith(`${beside}/`)) return false
  // Another project that lies there has rules of its own.
  return projects.at(path.slice(0, path.lastIndexOf('/'))) === undefined
}

/** What Grove's rules are kept in, and what could switch Grove off. */
const RULES = /^(?:\.orchestration|\.grove)(?:\/|$)|^\.intentignore$/
const SETTINGS = /^\.git(?:\/|$)|^\.claude\/settings(?:\.local)?\.json$/

/** Settings and hooks are open to an intent that names them; a scope of everything does not. */
function isGuardsOwn(
  world: Placed,
  project: GuardedProject,
  { ownedScope }: Pick<Intent, 'ownedScope'>,
  target: Target,
): boolean {
  if (isRuleFile(world, project, target)) return true
  const { setUpIn } = world.settings(project)
  if (setUpIn.some((path) => target.absolute === path || target.absolute.startsWith(`${path}/`))) return true
  const { relative = '' } = target
  const path = world.projects.ignoresCase(project.root) ? relative.toLowerCase() : relative
  return SETTINGS.test(path) && !ownedScope.some((glob) => /^\.?\/?\.(?:git|claude)\b/.test(glob))
}

/** Whether Grove's rules are kept there: no scope opens it to an agent. */
export function isRuleFile({ projects }: Pick<Placed, 'projects'>, project: GuardedProject, target: Target): boolean {
  const { relative = '', absolute } = target
  if (absolute === project.orchestration || absolute.startsWith(`${project.orchestration}/`)) return true
  return RULES.test(projects.ignoresCase(project.root) ? relative.toLowerCase() : relative)
}
