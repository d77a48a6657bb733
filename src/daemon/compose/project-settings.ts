import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment, readConfig } from '#config/load.ts'
import { projectConfigFile, projectRoot } from '#config/paths.ts'
import { describeUnused, type Problem } from '#config/problem.ts'
import type { Log } from '#core/ports/runtime.ts'
import { stampOf } from '#storage/files/stamp.ts'

/** The settings as they hold in a folder: those of its project. */
export type SettingsAt = (cwd: string) => Config

/** What is wrong with them; a setting with a problem is at its default. */
export type SettingProblemsAt = (cwd: string) => readonly Problem[]

/** Caches the settings by project and reads them again when a file has changed. A wrong value is logged, and is at its default. */
export function projectSettings(
  { home }: Config,
  log: Log,
): { settingsAt: SettingsAt; settingProblemsAt: SettingProblemsAt } {
  const cache = new Map<string, { stamp: string; settings: Config; problems: readonly Problem[] }>()
  const readAt = (cwd: string) => {
    const root = projectRoot(cwd, home) ?? cwd
    const stamp = [projectConfigFile(root), join(home, 'config.toml')].map(stampOf).join()
    const cached = cache.get(root)
    if (cached?.stamp === stamp) return cached
    const { config: settings, problems } = readConfig({ env: { ...environment(), GROVE_HOME: home }, cwd: root })
    const [first, ...others] = problems
    if (first) log.warn({}, describeUnused([first, ...others]))
    const read = { stamp, settings, problems }
    cache.set(root, read)
    return read
  }
  return { settingsAt: (cwd) => readAt(cwd).settings, settingProblemsAt: (cwd) => readAt(cwd).problems }
}
