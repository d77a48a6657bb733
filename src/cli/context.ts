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
  /** The settings. What is wrong with them is said once, in one line on stderr, and at its default; a wrong option is a ConfigError. */
  config(options?: Record<string, string>): Config
  /** The settings with their sources and problems; never throws because of them. */
  settings(): Loaded
}

/** The command line as this process was started with it. */
export function thisProcess(): Cli {
  const env = environment()
  const cwd = workingFolder(env)
  let said = ''
  const warn = (problems: [Problem, ...Problem[]]) => {
    const line = describeUnused(problems)
    if (line !== said) note(`warning: ${line}`)
    said = line
  }
  return {
    env,
    cwd,
    paint: painter(wantsColour(env)),
    config: (options = {}) => loadConfig({ env, cwd, options }, warn),
    settings: () => readConfig({ env, cwd }),
  }
}

/** https://no-color.org; FORCE_COLOR is its counterpart. */
function wantsColour(env: Env): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return process.stdout.isTTY === true && env.TERM !== 'dumb'
}
