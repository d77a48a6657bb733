/**
 * How common each word stem is in code at large: the table behind the weights of words. Any broad collection of source in
 * several languages will do (ours: packages of Debian and npm in Go, Rust, Python, Ruby, TypeScript, JavaScript, and docs),
 * as long as the repositories of the benchmark are not in it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { stem, words } from '#core/text/words.ts'
import { randomFrom } from './boost.ts'

const LANGUAGE: Record<string, string> = {
  ...{ '.go': 'go', '.rs': 'rust', '.py': 'python', '.rb': 'ruby', '.ts': 'typescript', '.tsx': 'typescript' },
  ...{ '.js': 'javascript', '.mjs': 'javascript', '.md': 'docs', '.rst': 'docs', '.txt': 'docs' },
}
const SKIP = /\/(fastify|@fastify|zod|caddy|axum|flask|\.cache|po|locale|testdata)\//
const PIECES_PER_LANGUAGE = 3500
const PIECE = 3000
const PIECES_PER_FILE = 3
const RANKS = 12
const SEEN_IN_AT_LEAST = 8

/** `lexicon[r]`: the stems found in about one piece of text in 2^r, separated by spaces. */
export function buildLexicon(folders: string[]): string[] {
  const byLanguage = new Map<string, string[]>()
  for (const folder of folders) collect(folder, byLanguage)
  const found = new Map<string, number>()
  const random = randomFrom(7)
  let pieces = 0
  for (const files of [...byLanguage.values()]) {
    let taken = 0
    for (const file of shuffled(files.sort(), random)) {
      if (taken >= PIECES_PER_LANGUAGE) break
      const text = readFileSync(file, 'utf8').slice(0, PIECE * PIECES_PER_FILE)
      for (let at = 0; at < text.length; at += PIECE) {
        const stems = words(text.slice(at, at + PIECE)).map(stem)
        for (const word of new Set(stems)) found.set(word, (found.get(word) ?? 0) + 1)
        taken++
      }
    }
    pieces += taken
  }
  const ranks = Array.from({ length: RANKS }, (): string[] => [])
  for (const [word, count] of found) {
    if (count < SEEN_IN_AT_LEAST || !/^[a-z]{2,20}$/.test(word)) continue
    ranks[Math.min(RANKS - 1, Math.floor(Math.log2(pieces / count)))]!.push(word)
  }
  return ranks.map((rank) => rank.sort().join(' '))
}

function collect(folder: string, byLanguage: Map<string, string[]>) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !SKIP.test(`${path}/`)) collect(path, byLanguage)
    const language = LANGUAGE[extname(entry.name)]
    if (!entry.isFile() || !language || /\.min\.|bundle|\.d\.ts$/.test(entry.name)) continue
    const { size } = statSync(path)
    if (size < 400 || size > 400_000) continue
    const files = byLanguage.get(language)
    if (files) files.push(path)
    else byLanguage.set(language, [path])
  }
}

function shuffled(files: string[], random: () => number): string[] {
  const out = [...files]
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const swap = out[i]!
    out[i] = out[j]!
    out[j] = swap
  }
  return out
}
