import { createReadStream, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Told } from '#core/memory/import-transcript.ts'
import type { TranscriptFile } from '#core/ports/import.ts'
import { isObject } from '#protocol/json.ts'
import { feed, newTranscriptReader, type TranscriptLine } from '#protocol/transcript.ts'
import { outcomeOf } from '#protocol/turn-facts.ts'

/** Every conversation Claude Code has on disk, oldest first; those of subagents belong to the one they helped. */
export async function transcriptFiles(configFolder: string): Promise<TranscriptFile[]> {
  const projects = join(configFolder, 'projects')
  const folders = await readdir(projects, { withFileTypes: true }).catch(ifMissing)
  const found: TranscriptFile[] = []
  for (const folder of folders.filter((entry) => entry.isDirectory())) {
    for (const name of await readdir(join(projects, folder.name))) {
      if (!name.endsWith('.jsonl')) continue
      const path = join(projects, folder.name, name)
      const { size, mtimeMs, isFile } = await facts(path)
      if (isFile) found.push({ path, sessionId: basename(name, '.jsonl'), bytes: size, changedAt: Math.round(mtimeMs) })
    }
  }
  return found.sort((a, b) => a.changedAt - b.changedAt)
}

/** Where the client keeps a session's transcript: its folder is named after the project, in a way that cannot be undone. */
export async function transcriptOf(configFolder: string, sessionId: string): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(sessionId)) return undefined
  const projects = join(configFolder, 'projects')
  for (const folder of await readdir(projects).catch(ifMissing)) {
    const path = join(projects, folder, `${sessionId}.jsonl`)
    if (existsSync(path)) return path
  }
  return undefined
}

async function facts(path: string) {
  const found = await stat(path)
  return { size: found.size, mtimeMs: found.mtimeMs, isFile: found.isFile() }
}

/** What was said and done in it, in order. */
export async function toldIn(path: string): Promise<Told[]> {
  const told: Told[] = []
  let reader = newTranscriptReader
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const read = feed(reader, chunk)
    reader = read.reader
    for (const line of read.lines) told.push(...toldBy(line))
  }
  return told
}

function toldBy(line: TranscriptLine): Told[] {
  if (line.type !== 'user' && line.type !== 'assistant') return []
  if (line.isSidechain) return []
  const { content } = line.message
  if (line.type === 'user') {
    const results = resultsIn(content)
    if (results.length > 0) return results
    if (line.isMeta || line.isCompactSummary) return []
    const { uuid, timestamp, cwd, gitBranch } = line
    const at = Date.parse(timestamp ?? '')
    if (!uuid || Number.isNaN(at)) return []
    const branch = gitBranch && gitBranch !== 'HEAD' ? { branch: gitBranch } : {}
    return [{ said: 'prompt', content, at, key: uuid, ...(cwd && { cwd }), ...branch }]
  }
  if (line.isApiErrorMessage || !Array.isArray(content)) return []
  return content.flatMap((block: unknown): Told[] => {
    if (!isObject(block)) return []
    if (block.type === 'text' && typeof block.text === 'string') return [{ said: 'text', text: block.text }]
    if (block.type !== 'tool_use' || typeof block.id !== 'string' || typeof block.name !== 'string') return []
    return [{ said: 'tool', id: block.id, name: block.name, input: isObject(block.input) ? block.input : {} }]
  })
}

function resultsIn(content: unknown): Told[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block: unknown): Told[] => {
    if (!isObject(block) || block.type !== 'tool_result' || typeof block.tool_use_id !== 'string') return []
    return [{ said: 'result', id: block.tool_use_id, outcome: outcomeOf(block.is_error === true, block.content) }]
  })
}

function ifMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return []
  throw error
}
