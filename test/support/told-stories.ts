import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent } from './story.ts'

/** Work as people ask for it and agents do it, each told in a few actions, with what a reader would say of it. */
export interface ToldStory {
  name: string
  says: string[]
  replies: (object | string)[]
  /** `quiet`: nobody would say a word. `corrected`: a bystander would. `limit`: the user has forbidden it in words. */
  verdict: 'quiet' | 'corrected' | 'limit'
  /** The files that were left changed. */
  changed: string[]
  /** The project that it is told in, and its files. */
  project: string
  files: Record<string, string>
  /** It is told in each run of the suite. */
  isSample: boolean
}

/**
 * The stories of `stories/`: a text for each project, first its files, then what happens in it, a line for each thing.
 *
 *     @ path: content            a file of the project
 *     # verdict: name            a story begins; with `#!` it is told in each run
 *     > words                    the user says
 *     ? path                     the agent reads a file
 *     ~ path: old ==> new        reads it and changes a piece; with `~~` without reading, with `~!` in vain
 *     + path: content            writes it
 *     $ command                  runs a command
 *     ! line | line              runs a check that fails and says so
 *     = words                    ends its turn
 *     * path path                what was left changed, where it is not all that was changed and written
 */
export const STORIES: ToldStory[] = readdirSync(join(import.meta.dirname, 'stories')).flatMap((name) =>
  storiesIn(name.replace('.txt', ''), readFileSync(join(import.meta.dirname, 'stories', name), 'utf8')),
)

function storiesIn(project: string, text: string): ToldStory[] {
  const files: Record<string, string> = {}
  const stories: ToldStory[] = []
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [sign = '', rest = ''] = cutAt(line, ' ')
    const story = stories.at(-1)
    if (sign === '@') {
      const [path, content] = cutAt(rest, ': ')
      files[path] = plain(content)
    } else if (sign.startsWith('#')) {
      const [verdict, name] = cutAt(rest, ': ')
      const told = { says: [], replies: [], changed: [], project, files, isSample: sign === '#!' }
      stories.push({ name, verdict: verdict as ToldStory['verdict'], ...told })
    } else if (story) takeIn(story, sign, rest)
    else throw new Error(`No story for ${line}`)
  }
  return stories
}

function takeIn(story: ToldStory, sign: string, rest: string) {
  const { says, replies, changed, files } = story
  const [path, what] = cutAt(rest, ': ')
  switch (sign) {
    case '>':
      says.push(plain(rest))
      break
    case '?':
      replies.push(agent.read(rest))
      break
    case '~':
    case '~~':
    case '~!': {
      const [old, now] = cutAt(what, ' ==> ').map(plain) as [string, string]
      const isThere = files[path] === undefined || files[path].includes(old) || changed.includes(path)
      if (isThere === (sign === '~!')) throw new Error(`Does ${path} hold ${old}?`)
      replies.push(...(sign === '~~' ? [] : [agent.read(path)]), agent.edit(path, old, now))
      if (isThere) changed.push(path)
      break
    }
    case '+':
      replies.push(agent.write(path, plain(what)))
      changed.push(path)
      break
    case '$':
      replies.push(agent.bash(plain(rest)))
      break
    case '!':
      replies.push(fails(rest.split(' | ').map(plain)))
      break
    case '=':
      replies.push(plain(rest))
      break
    case '*':
      story.changed = rest.split(' ').filter(Boolean)
      break
    default:
      throw new Error(`What is ${sign} in “${story.name}”?`)
  }
}

/** A check that fails, and says what is wrong. */
function fails(lines: string[]): object {
  return agent.bash(`printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}; exit 1`)
}

function cutAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}

/** `\n` is the end of a line, `\\` a backslash. */
function plain(text: string): string {
  return text.replace(/\\([n\\])/g, (_, sign) => (sign === 'n' ? '\n' : '\\'))
}
