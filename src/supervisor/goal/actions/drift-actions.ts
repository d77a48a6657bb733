import { commandFinder } from '#core/action/command-patterns.ts'
import type { Invocation } from '#core/action/invocations.ts'
import type { ToolReading } from '#core/action/reading.ts'
import { isScratch, isTemporary } from '#core/action/scratch.ts'
import { changesBeyondFiles, checkConstraints } from '#core/drift/checks/limits.ts'
import { deedOf } from '#core/drift/gist.ts'
import type { Bounds, DriftAction } from '#core/drift/score.ts'
import { commandForbiddenBy } from '#core/goal/command-limits.ts'
import { onlyAnswers } from '#core/goal/limits/answer-only.ts'
import { limitOn } from '#core/goal/orders.ts'
import type { PathWrite } from '#core/shell/call.ts'
import type { Task } from '#core/task.ts'
import { covers } from '#core/text/covers.ts'
import { boundedGlob } from '#core/text/glob.ts'
import { mentionedPaths } from '#core/text/paths.ts'
import type { SessionState } from '../../session/session-state.ts'
import { activeTask, activeWork } from '../../session/work.ts'
import { takesBack } from './take-back.ts'

const MOST_PLACES = 8

/**
 * The actions that the drift scorer is given for one tool call: a write for each place that a command writes, removes or puts
 * back, else the call itself. A command that takes back a stray change counts as a plain command.
 */
export function driftActionsOf(session: SessionState, action: ToolReading): DriftAction[] {
  const { command = '', removes = [], moves = [], changes, restores = [], invocations: ran } = action
  const lost = removes.filter((path) => !takesBack(session, action, path))
  const task = activeTask(session)
  // Its own work the agent may put back as it was, unless the user wants it left as it is.
  const isOwn = (path: string) => session.work.changed.includes(path) && !(task && limitOn(task, path) !== undefined)
  const undone = restores.filter((path) => !isOwn(path) && !takesBack(session, action, path))
  const named = action.kind === 'bash' ? changes.filter((path) => !removes.includes(path)) : []
  const written = [...named, ...closedWithin(session, action), ...generated(session, action)]
  const places: DriftAction[] = [
    // Its own work the agent may throw away.
    ...[...lost, ...undone].map((path) => ({
      kind: 'write' as const,
      path,
      ...(!session.work.changed.includes(path) && !moves.includes(path) && { destroys: true as const }),
    })),
    ...written.map((path) => ({ kind: 'write' as const, path, diff: command, cmd: command, ran })),
  ]
  if (places.length > 0) return places.slice(0, MOST_PLACES)
  const one = driftActionOf(action)
  if (!one) return []
  return isNew(session, one) ? [{ ...one, creates: true }] : [one]
}

/** The client's Write tool replaces a file only after it was read: a file that nothing was done with yet is a new one. */
function isNew(session: SessionState, { kind, path }: DriftAction): boolean {
  const notes = activeWork(session)?.trail.notes ?? []
  return kind === 'write' && !notes.some((note) => note.path === path) && !session.work.changed.includes(path!)
}

/** Files that the user's limits name and that a wildcard of the command matches: `sed -i … configs/*.yaml`. */
function closedWithin(session: SessionState, { effect, programs, restores = [] }: ToolReading): string[] {
  const limits = activeTask(session)?.constraints ?? []
  if (limits.length === 0 || effect.kind !== 'shell') return []
  const here = `${session.place?.cwd ?? ''}/`
  const holds = effect.script.writes.flatMap(({ glob, path }) =>
    glob ? [boundedGlob(path.startsWith(here) ? path.slice(here.length) : path)] : [],
  )
  const named = limits.flatMap(mentionedPaths).filter((path) => holds.some((isHeld) => isHeld(path)))
  // What git puts back is judged as that.
  const unpacks = programs.some((program) => UNPACKS.test(program))
  const changed = closedFolders(session, effect.script.writes, here, unpacks).filter(
    (folder) => !restores.includes(folder),
  )
  const isPutBack = programs.some((program) => GIT_PUTS_BACK.test(program))
  const held = isPutBack ? [] : closedPatterns(session, effect.script.writes, here)
  return [...new Set([...named, ...changed, ...held])]
}

const UNPACKS = /^(?:tar|bsdtar|unzip|7z|cpio)$/
const GIT_PUTS_BACK = /^git (?:checkout|restore|reset|clean|stash)\b/

/** Wildcards of the command that match closed files only: `sed -i … legacy/*.py`, `grep -rl … legacy | xargs …`. */
function closedPatterns(session: SessionState, writes: PathWrite[], here: string): string[] {
  const task = activeTask(session)
  if (!task) return []
  const patterns = writes.flatMap(({ glob, path }) => (glob && path.startsWith(here) ? [path.slice(here.length)] : []))
  const { changed, onGoalFiles } = session.work
  const endings = new Set(
    [...changed, ...onGoalFiles, ...task.expectedScope].map((path) => ENDING.exec(path)?.[0] ?? ''),
  )
  return patterns.filter((pattern) => {
    // Any file that it holds; a folder without a wildcard is one of which some files are picked.
    const one = pattern.includes('*') ? pattern.replace(/\*\*\//g, '').replace(/\*+/g, 'some') : `${pattern}/some`
    if (!one.includes('/') || isScratch(one)) return false
    // Where its kind is not told, it may be the kind that the work is about: "only the styles".
    const each = ENDING.test(one) ? [one] : [one, ...[...endings].map((ending) => one + ending)]
    return each.every((path) => limitOn(task, path) !== undefined)
  })
}

const ENDING = /\.\w{1,8}$/

/** Closed folders that a formatter or a codemod is told to work on, or that an archive is unpacked into. */
function closedFolders(session: SessionState, writes: PathWrite[], here: string, unpacks: boolean): string[] {
  const task = activeTask(session)
  const folders = writes.flatMap(({ tree, maybe, glob, kind, path }) =>
    tree && maybe && !glob && (kind === 'modify' || unpacks) && path.startsWith(here) ? [path.slice(here.length)] : [],
  )
  return folders.filter((folder) => folder !== '' && folder !== '.' && task && limitOn(task, folder) !== undefined)
}

/** Closed files that a command generates without naming them: which one that is follows from the program. */
function generated(session: SessionState, { invocations }: ToolReading): string[] {
  const task = activeTask(session)
  if (!task || task.constraints.length === 0) return []
  return GENERATES.flatMap(({ by, makes }) =>
    invocations.some((one) => by(one)) && limitOn(task, makes) ? [makes] : [],
  )
}

const GENERATES = [
  { by: commandFinder(['nix flake update|lock']), makes: 'flake.lock' },
  { by: commandFinder(['mix deps.update|deps.unlock']), makes: 'mix.lock' },
  { by: commandFinder(['terraform|tofu init -upgrade']), makes: '.terraform.lock.hcl' },
  { by: commandFinder(['alembic revision', 'flask db migrate|revision']), makes: 'alembic/versions' },
  {
    by: commandFinder([
      'rails|rake g|generate migration',
      '* ** make:migration|*:make:migration|makemigrations',
      'prisma migrate dev',
      '* ** migrations add',
      'knex|typeorm|sequelize|sequelize-cli|db-migrate *migrat*',
      'mix ecto.gen.migration',
      '* ** migrate make|create',
      'migrate make|create',
      'drizzle-kit generate',
    ]),
    makes: 'db/migrations',
  },
]

/** The action as the drift scorer takes it; undefined for tools that say nothing about drift. */
function driftActionOf({
  kind,
  files,
  folders,
  command,
  query,
  excerpt,
  invocations: ran,
}: ToolReading): DriftAction | undefined {
  const path = files[0] ?? (kind === 'search' ? folders[0] : undefined)
  // To try something out in a temporary folder is no change of the project, whatever the user has closed.
  if (path !== undefined && kind !== 'bash' && isTemporary(path)) return undefined
  switch (kind) {
    case 'read':
    case 'edit':
    case 'write':
      return path === undefined ? undefined : { kind, path, ...(excerpt && { diff: excerpt }) }
    case 'search':
      return { kind, ...(path && { path }), ...(query && { query }) }
    case 'bash':
      return command === undefined ? undefined : { kind: 'cmd', cmd: command, ran }
    default:
      return undefined
  }
}

/** Files that the user named speak for an action, and no limit closes a file that they asked to change. */
export function boundsOf({ expectedScope, constraints }: Task, action: DriftAction): Bounds {
  const { path, ran } = action
  const inScope = path !== undefined && isNamed(expectedScope, path)
  const limit =
    path === undefined
      ? limitOnCommand(constraints, ran ?? [])
      : limitOn({ constraints, expectedScope }, path, deedOf(action))
  return { ...(limit !== undefined && { constraints: [limit] }), ...(inScope && { evidence: { inScope } }) }
}

function limitOnCommand(constraints: string[], ran: readonly Invocation[]): string | undefined {
  const broken = commandForbiddenBy(constraints, ran)
  return broken ?? (changesBeyondFiles(ran) ? constraints.find(onlyAnswers) : undefined)
}

/** Whether the user has named a file, by its path or by its name alone. */
export function isNamed(scope: string[], path: string): boolean {
  return covers(scope, path) || scope.some((place) => !place.includes('/') && path.endsWith(`/${place}`))
}

/** Whether the user's own words forbid an action: "do not touch …", "only …". */
export function breaksLimit(task: Task, action: DriftAction): boolean {
  return checkConstraints(action, boundsOf(task, action).constraints ?? [])?.proof !== undefined
}
