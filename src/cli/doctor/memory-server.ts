import { type Check, ok, reason, warn } from './check.ts'

/** The memory server for learnings, where there is one: does it answer, and has it tools to store and to search. */
export const checkMemoryServer: Check = async ({ settings }) => {
  const { mcp, use } = settings.config.backends
  const name = mcp.url ?? mcp.command.join(' ')
  if (name === '' && use.includes('mcp')) {
    const fix = 'Set backends.mcp.command in your config.toml; until then learnings go to .grove/learnings.md.'
    return [warn('learnings', 'backends.use names a memory server, but none is configured', fix)]
  }
  if (name === '') return []
  const { tryMemoryServer } = await import('#daemon/compose/memory-servers.ts')
  try {
    await tryMemoryServer(mcp)
    return [ok('learnings', `the memory server answers: ${name}`)]
  } catch (error) {
    const fix = 'Fix [backends.mcp] in your config.toml; until then learnings go to .grove/learnings.md.'
    return [warn('learnings', `the memory server does not answer: ${name}: ${reason(error)}`, fix)]
  }
}
