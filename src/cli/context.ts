import type { Config } from '#config/config.ts'
import { type Env, environment, type Loaded, loadConfig, readConfig } from '#config/load.ts'
import { workingFolder } from '#config/paths.ts'
import { describeUnused, type Problem } from '#config/problem.ts'
import { note, type Paint, painter } from './print.ts'

/** What every command is given. */
export interface Cli {
  env: Env
  cwd: string
  paint: Paint
  /**
   * The settings. Problems in files and environment are warned about once, in one line on stderr, and take their
   * default; a wrong option throws a ConfigError.
   */
  config(options?: Record<string, string>): Config
  /** The settings with their sources and problems; never throws because of them. */
  settings(): Loaded
  /** Writes a line to stderr, unless it is a warning about the settings that `config` has shown already. */
  noteNew(line: string): void
}

/** The command line as this process was started with it. */
export function thisProcess(): Cli {
  const env = environment()
  const cwd = workingFolder(env)
  const warned = new Set<string>()
  const noteNew = (line: string) => {
    if (!warned.has(line)) note(line)
  }
  const warn = (problems: [Problem, ...Problem[]]) => {
    const line = `warning: ${describeUnused(problems)}`
    noteNew(line)
    warned.add(line)
  }
  return {
    env,
    cwd,
    paint: painter(wantsColour(env)),
    config: (options = {}) => loadConfig({ env, cwd, options }, warn),
    settings: () => readConfig({ env, cwd }),
    noteNew,
  }
}

/** https://no-color.org; FORCE_COLOR is its counterpart. */
function wantsColour(env: Env): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return process.stdout.isTTY === true && env.TERM !== 'dumb'
}
