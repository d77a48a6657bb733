import { type Denial, guardsOwn, outOfScope } from '#core/intent/denial.ts'
import type { Intent } from '#core/intent/intent.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { Target } from './targets.ts'
import type { GuardWorld } from './world.ts'

type Needs = Pick<GuardWorld, 'inScope' | 'settings' | 'paths' | 'projects'>

/** The one decision: a target is allowed exactly when its resolved form lies in the scope. Undefined: all are. */
export function scopeDenial(
  world: Needs,
  project: GuardedProject,
  intent: Intent,
  targets: readonly Target[],
): Denial | undefined {
  const own = targets.filter((target) => isGuardsOwn(world, project, intent, target))
  if (own.length > 0) return guardsOwn(shown(own))
  const out = targets.filter((target) => !isInScope(world, project, intent, target))
  return out.length > 0 ? outOfScope(intent, shown(out)) : undefined
}

function shown(targets: readonly Target[]): string[] {
  return [...new Set(targets.map((target) => target.shown))]
}

const DEVICE = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/

/** Whether the intent owns the target, or everybody does. */
export function isInScope(
  { inScope, settings, paths, projects }: Needs,
  project: GuardedProject,
  { ownedScope }: Pick<Intent, 'ownedScope'>,
  { relative, absolute, outside, extent }: Target,
): boolean {
  const rules = settings(project)
  if (outside || relative === undefined) {
    return DEVICE.test(absolute) || rules.outside.some((glob) => paths.matches(glob, absolute))
  }
  const options = { caseInsensitive: projects.ignoresCase(project.root), extent }
  return (
    inScope(ownedScope, relative, options).allowed ||
    // Every folder may be on the way to such a place; a folder must be one.
    (rules.always.length > 0 &&
      inScope(rules.always, relative, { ...options, extent: extent === 'folder' ? 'tree' : extent }).allowed)
  )
}

/** What Grove's rules are kept in, and what could switch Grove off. */
const RULES = /^(?:\.orchestration|\.grove)(?:\/|$)|^\.intentignore$/
const SETTINGS = /^\.git(?:\/|$)|^\.claude\/settings(?:\.local)?\.json$/

/** Settings and hooks are open to an intent that names them; a scope of everything does not. */
function isGuardsOwn(world: Needs, project: GuardedProject, { ownedScope }: Intent, target: Target): boolean {
  if (isRuleFile(world, project, target)) return true
  const { relative = '' } = target
  const path = world.projects.ignoresCase(project.root) ? relative.toLowerCase() : relative
  return SETTINGS.test(path) && !ownedScope.some((glob) => /^\.?\/?\.(?:git|claude)\b/.test(glob))
}

/** Whether Grove's rules are kept there: no scope opens it to an agent. */
export function isRuleFile({ projects }: Pick<Needs, 'projects'>, project: GuardedProject, target: Target): boolean {
  const { relative = '', absolute } = target
  if (absolute === project.orchestration || absolute.startsWith(`${project.orchestration}/`)) return true
  return RULES.test(projects.ignoresCase(project.root) ? relative.toLowerCase() : relative)
}
