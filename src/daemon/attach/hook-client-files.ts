import { join } from 'node:path'

/** The shell script that hooks call. */
export function scriptFile(home: string): string {
  return join(home, 'bin', 'grove-hook')
}

/** How agents call this Grove where they do not have its tools: the home it belongs to is part of the command. */
export function agentCommandFile(home: string): string {
  return join(home, 'bin', 'grove')
}

/** What agents are told to run. */
const FOR_AGENTS = ['reflect', 'skip', 'observe']

/** The client asks about a command unless a rule allows it; a path that must be quoted cannot be named in one. */
export function agentCommandRules(home: string): string[] {
  const command = agentCommandFile(home)
  return /^[\w@%+=:,./-]+$/.test(command) ? FOR_AGENTS.map((name) => `Bash(${command} ${name}:*)`) : []
}

/** What the script calls when Grove was removed. */
export function detacherFile(home: string): string {
  return join(home, 'bin', 'grove-detach.cjs')
}
