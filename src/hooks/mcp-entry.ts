import { editJson } from '#protocol/json-edit.ts'
import { isJsonObject, type Json, type JsonObject, readJson, sameJson } from '#protocol/json-text.ts'
import type { Edited } from './install.ts'

/**
 * Our MCP server in the client's own configuration (`.claude.json`): for all projects of the user, or for one. It is kept
 * there, and not in a `.mcp.json`, because that one belongs to the repository and asks every user for approval.
 */

const NAME = 'grove'

/** What must be remembered to take it out again: how many of the containers around it were there, and what stood in its place. */
export interface McpTrace {
  existed: boolean
  containers: number
  replaced?: Json
  entry: JsonObject
}

/** The configuration with our server in it. `project` is the folder it is for; absent: all of the user's. */
export function attachMcp(
  now: string | undefined,
  project: string | undefined,
  entry: JsonObject,
  earlier?: McpTrace,
): Edited<{ text: string; trace: McpTrace }> {
  const clean = detachMcp(now, project, earlier)
  if (!clean.ok) return clean
  const text = clean.value
  const root = objectIn(text)
  const path = containersOf(project)
  const chain = containersAlong(root, path)
  const replaced = chain.length === path.length + 1 ? chain.at(-1)?.[NAME] : undefined
  return {
    ok: true,
    value: {
      text: editJson(text ?? '{}\n', put(root, [...path, NAME], entry)),
      trace: {
        existed: text !== undefined,
        containers: chain.length - 1,
        ...(replaced !== undefined && { replaced }),
        entry,
      },
    },
  }
}

/** The configuration without our server; undefined when the file should not be there at all. */
export function detachMcp(
  now: string | undefined,
  project: string | undefined,
  trace: McpTrace | undefined,
): Edited<string | undefined> {
  if (now === undefined) return { ok: true, value: undefined }
  const reading = readJson(now)
  if (!reading.ok) return reading
  if (!isJsonObject(reading.value)) return { ok: false, problem: { message: 'the file must hold one JSON object' } }
  const path = containersOf(project)
  const server = containersAlong(reading.value, path)[path.length]?.[NAME]
  // Another one than we added is the user's own.
  const isOurs = server !== undefined && (trace ? sameJson(server, trace.entry) : looksLikeOurs(server))
  if (!isOurs) return { ok: true, value: now }
  const left = trace?.replaced
    ? put(reading.value, [...path, NAME], trace.replaced)
    : takeOut(reading.value, [...path, NAME], trace?.containers ?? path.length)
  if (trace?.existed === false && Object.keys(left).length === 0) return { ok: true, value: undefined }
  return { ok: true, value: editJson(now, left) }
}

/** Recognises our entry when the record of the install is gone. */
function looksLikeOurs(server: Json): boolean {
  const args = isJsonObject(server) && Array.isArray(server.args) ? server.args.map(String) : []
  return args.length === 2 && /[\\/]grove\.js$/.test(args[0]!) && args[1] === 'mcp'
}

function containersOf(project: string | undefined): string[] {
  return project === undefined ? ['mcpServers'] : ['projects', project, 'mcpServers']
}

/** The root and the objects found on the way, as far as the way goes. */
function containersAlong(root: JsonObject, path: string[]): JsonObject[] {
  const found = [root]
  for (const name of path) {
    const next = found.at(-1)?.[name]
    if (!isJsonObject(next)) break
    found.push(next)
  }
  return found
}

function put(object: JsonObject, [name, ...rest]: string[], value: Json): JsonObject {
  if (name === undefined) return object
  const inner = isJsonObject(object[name]) ? object[name] : {}
  return { ...object, [name]: rest.length === 0 ? value : put(inner, rest, value) }
}

/** Containers that were not there before go when nothing else is left in them. */
function takeOut(object: JsonObject, [name, ...rest]: string[], kept: number): JsonObject {
  if (name === undefined) return object
  const others = Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
  const inner = object[name]
  if (rest.length === 0 || !isJsonObject(inner)) return others
  const left = takeOut(inner, rest, kept - 1)
  return Object.keys(left).length === 0 && kept <= 0 ? others : { ...object, [name]: left }
}

function objectIn(text: string | undefined): JsonObject {
  const reading = readJson(text ?? '{}')
  return reading.ok && isJsonObject(reading.value) ? reading.value : {}
}
