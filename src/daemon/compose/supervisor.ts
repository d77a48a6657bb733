import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment } from '#config/load.ts'
import type { Store } from '#core/ports/store.ts'
import { entriesMatching, filesBelow } from '#exec/find-files.ts'
import { askRepositories } from '#exec/git/evidence.ts'
import { isFolder } from '#exec/guarded-project.ts'
import { transcriptOf } from '#exec/import/transcripts.ts'
import { randomId } from '#exec/random-id.ts'
import { readFrom } from '#exec/read-file.ts'
import { Supervisor } from '#supervisor/supervisor.ts'
import type { World } from '#supervisor/world.ts'
import { tools } from './tools.ts'

type Given = Pick<
  World,
  'clock' | 'log' | 'judgeFor' | 'projectAt' | 'memory' | 'pauses' | 'publish' | 'defer' | 'isDriven'
>

/** The supervisor on this machine. */
export function supervisorOn(config: Config, store: Store, given: Given): Supervisor {
  const { now } = given.clock
  let repositories: World['evidence'] | undefined
  return new Supervisor({
    ...given,
    store,
    newId: (prefix) => `${prefix}_${randomId()}`,
    isFolder,
    readFile: readFrom,
    tools,
    transcriptOf: (sessionId) => transcriptOf(claudeFolder(), sessionId),
    evidence(root, path, others) {
      repositories ??= askRepositories(now)
      return repositories(root, path, others)
    },
    filesIn: (place) =>
      (place.includes('*') ? entriesMatching(place)?.filter((path) => !isFolder(path)) : filesBelow(place)) ?? [],
    settings: {
      driftCheckInterval: config.drift.checkInterval,
      warnShare: config.tokens.warningShare,
      clearShare: config.tokens.clearShare,
      ...(config.tokens.warningThreshold !== undefined && { warnTokens: config.tokens.warningThreshold }),
      ...(config.tokens.clearThreshold !== undefined && { clearTokens: config.tokens.clearThreshold }),
      clearEnabled: config.clear.enabled,
      asksForPlan: config.goal.declare === 'ask',
      tellsUser: config.terminal.lines,
    },
  })
}

function claudeFolder(): string {
  return environment().CLAUDE_CONFIG_DIR || join(homedir(), '.claude')
}
