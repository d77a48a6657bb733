import type { ParseShell } from './ast.ts'
import type { ContentSource, PathWrite } from './call.ts'
import { Effort } from './effort.ts'
import { outwardEffects } from './outward.ts'
import type { SimpleCommand } from './simple-command.ts'
import { known, type Value } from './values.ts'
import { Walk } from './walk.ts'

/** What a shell command runs and writes, as far as reading it can tell. */
export interface ShellReading {
  /** Every program it runs, in order; of wrappers (`sudo`, `xargs`, `bash -c`) both the wrapper and what it runs. */
  commands: SimpleCommand[]
  /** The variables that it sets: `NAME=value`. */
  assigned: string[]
  writes: PathWrite[]
  /** Why running it may write more than is listed; empty when the list is complete. */
  undecided: string[]
  /** Reading ended before the command did: it is too long, nested too deep, or too much to follow. */
  isUnread: boolean
  /** It surely changes no file. */
  readOnly: boolean
  /** Where the files are named that it writes besides. */
  sources: ContentSource[]
  /** What cannot be known beforehand is left to tests, builds, linters and installs alone. */
  routine: boolean
  /** Something that it starts may still run when it has ended: `… &`. */
  goesOn: boolean
  /** What it does outside the working tree: pushes, publishes, deploys, sends. */
  outward: string[]
}

export interface ShellSetting {
  parse: ParseShell
  cwd: string
  home?: string
  root?: string
  /** Lets `cp a b` tell a folder `b` from a file; without it the spelling decides. */
  isFolder?: (absolutePath: string) => boolean
  /** Lets a script be read that a command runs; without it what a script does shows only afterwards. */
  textAt?: (absolutePath: string) => string | undefined
  /** Lets a script that is not there be told from one that cannot be read. */
  isThere?: (absolutePath: string) => boolean
  /** What it takes away is gone by now, so that a file which is missing tells nothing. */
  hasRun?: boolean
}

/** Follows a shell command: what it runs, every path it writes, and where reading is not enough to know. */
export function readShell(command: string, setting: ShellSetting): ShellReading {
  let hasReadFile = false
  const textAt = (path: string) => {
    const text = setting.textAt?.(path)
    hasReadFile ||= text !== undefined
    return text
  }
  const walk = new Walk({ ...setting, textAt })
  const variables = new Map<string, Value[]>(setting.home ? [['HOME', [known(setting.home)]]] : [])
  variables.set('TMPDIR', [known('/tmp')])
  const place = {
    cwd: setting.cwd,
    previous: undefined,
    pushed: undefined,
    variables,
    functions: new Map(),
    args: [],
    effort: new Effort(),
  }
  try {
    walk.text(command, place, undefined)
  } catch (error) {
    // The stack, or a text, has outgrown what the engine holds: that lies in the command.
    if (!(error instanceof RangeError)) throw error
    walk.doubts.leaveUnread('too much to follow')
  }
  if (place.effort.isOver) walk.doubts.leaveUnread('too much to follow')
  const { doubts, sources } = walk
  const { ran: commands, assigned } = walk.commands
  const { writes } = walk.files
  const undecided = [...doubts.reasons]
  return {
    commands,
    assigned,
    writes,
    undecided,
    isUnread: doubts.isUnread && (!hasReadFile || isUnreadAlone(command, setting)),
    sources,
    readOnly: writes.length === 0 && undecided.length === 0,
    routine: doubts.areRoutine,
    goesOn: walk.goesOn,
    outward: outwardEffects(commands),
  }
}

/** Whether that is so by the command itself: the scripts of a project may be long, and what they write shows afterwards. */
function isUnreadAlone(command: string, { textAt: _, ...alone }: ShellSetting): boolean {
  return readShell(command, alone).isUnread
}
