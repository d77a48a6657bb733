import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf } from '../../src/simulator/facts.ts'
import { differencesBetween } from './differences.ts'
import { type Played, play } from './play.ts'
import { readRecordings } from './read-recordings.ts'
import type { Recording } from './recording.ts'
import { sanitise } from './sanitise.ts'
import { stories } from './stories.ts'

/**
 * `npm run clients -- record <path to claude>`: puts a client through every story, keeps the shape of its requests under
 * recordings/<version>.jsonl, and prints what differs from the recording of the version before.
 */

const [, , client = '', folder = ''] = process.argv
const version = execFileSync(client, ['--version'], { encoding: 'utf8' }).split(' ')[0]!.trim()
/** The class header exists from this version on; older clients ignore the switch. */
const rounds = isAtLeast(version, 273) ? [false, true] : [false]
const recorded: Recording[] = []
for (const story of stories) {
  for (const hints of rounds) {
    const played = await play(client, story, hints)
    recorded.push(...played.map((one) => recordingOf(story.name, hints, one)))
    console.log(`${version}  ${story.name}${hints ? ' (hints)' : ''}: ${played.map(({ asker }) => asker).join(' ')}`)
  }
}
const file = join(folder, `${version}.jsonl`)
writeFileSync(file, `${recorded.map((one) => JSON.stringify(one)).join('\n')}\n`)
console.log(`${recorded.length} requests kept in ${file}`)
const all = readRecordings(folder)
const before = all[all.findIndex((one) => one.version === version) - 1]
if (before) {
  const differences = differencesBetween(before.recordings, recorded)
  console.log(differences.length > 0 ? `Since ${before.version}:` : `Nothing differs from ${before.version}.`)
  for (const difference of differences) console.log(`  ${difference}`)
}

function recordingOf(story: string, hints: boolean, { request, asker, places }: Played): Recording {
  const { body, headers } = factsOf(request)
  const kept = [...headers].filter(([name]) => name.startsWith('x-claude-code') || name === 'anthropic-beta')
  return {
    story,
    hints,
    asker,
    path: request.url,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, isId(name) ? 'id' : value])),
    body: sanitise(body, places) as Recording['body'],
  }
}

function isId(name: string): boolean {
  return name.endsWith('-id')
}

function isAtLeast(version: string, patch: number): boolean {
  const [major = 0, minor = 0, last = 0] = version.split('.').map(Number)
  return major > 2 || (major === 2 && (minor > 1 || last >= patch))
}
