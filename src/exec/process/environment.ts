export type Environment = Record<string, string | undefined>

/** Grove's own settings and keys, and those of the client that it drives: no other program has a use for them. */
const OURS = /^(?:GROVE_|ANTHROPIC_|CLAUDE_|CLAUDECODE$)/

/** The environment for programs that are not ours. */
export function foreignEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.test(name)))
}
