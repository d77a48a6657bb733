import type { Config } from '#config/config.ts'
import { isObject } from '#protocol/json.ts'
import { parseSettings } from '#protocol/settings.ts'

const REMEMBERS = /memor(y|ies)|mem0|recall|knowledge/i

/**
 * A memory server that Claude Code knows can keep learnings too; whether it should is for the user to say. Looked for among
 * the user's own, those for one project included; what a repository brings along is a stranger's program.
 */
export function memoryServerNotes(configuration: string | undefined, { backends }: Config): string[] {
  if (backends.mcp.command.length > 0 || backends.mcp.url !== undefined) return []
  const reading = parseSettings(configuration ?? '{}')
  if (!reading.ok) return []
  const { settings } = reading
  const projects = isObject(settings.projects) ? Object.values(settings.projects) : []
  const servers = [settings, ...projects].flatMap((one) =>
    isObject(one) && isObject(one.mcpServers) ? Object.entries(one.mcpServers) : [],
  )
  return [...new Set(servers.flatMap(([name, server]) => (isObject(server) ? offer(name, server) : [])))]
}

function offer(name: string, { command, args, url, env }: Record<string, unknown>): string[] {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string')
  if (name === 'grove' || ![name, ...words].some((word) => REMEMBERS.test(word))) return []
  const variables = isObject(env) ? Object.entries(env).map(([key, value]) => `${key}=${shown(value)}`) : []
  const how = [
    typeof url === 'string' ? `url = ${JSON.stringify(url)}` : `command = ${JSON.stringify(words)}`,
    ...(variables.length > 0 ? [`env = ${JSON.stringify(variables)}`] : []),
  ]
  return [
    `Claude Code has a memory server, ${name}. To keep learnings there too, put this into your config.toml:\n[backends]\nuse = ["markdown", "mcp"]\n[backends.mcp]\n${how.join('\n')}`,
  ]
}

/** Where it keeps its memory is no secret; anything else may be one, and is not printed. */
function shown(value: unknown): string {
  return typeof value === 'string' && /^[~./][\w~./ -]*$/.test(value) ? value : '<its value>'
}
