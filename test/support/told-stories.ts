import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent } from './story.ts'

/** Work as people ask for it and agents do it, each told in a few actions, with what a reader would say of it. */
export interface ToldStory {
  name: string
  turns: ToldTurn[]
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

export interface ToldTurn {
  says: string
  /** Typed while the agent works, one after the other. */
  meanwhile: string[]
  /** Grove ends and starts again before it. */
  isAfterRestart: boolean
}

/** How the command begins with which an agent waits for words. */
export const LISTENS = 'until grep -qs'

/**
 * The stories of `stories/`: a text for each project, first its files, then what happens in it, a line for each thing.
 *
 *     @ path: content            a file of the project
 *     # verdict: name            a story begins; with `#!` it is told in each run
 *     > words                    the user says
 *     %> words                   says it after Grove has ended and started again
 *     >> words                   types it while the agent works
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
      const told = { turns: [], replies: [], changed: [], project, files, isSample: sign === '#!' }
      stories.push({ name, verdict: verdict as ToldStory['verdict'], ...told })
    } else if (story) takeIn(story, sign, rest)
    else throw new Error(`No story for ${line}`)
  }
  return stories
}

function takeIn(story: ToldStory, sign: string, rest: string) {
  const { turns, replies, changed, files } = story
  const [path, what] = cutAt(rest, ': ')
  switch (sign) {
    case '>':
    case '%>':
      turns.push({ says: plain(rest), meanwhile: [], isAfterRestart: sign === '%>' })
      break
    case '>>':
      turns.at(-1)!.meanwhile.push(rest)
      replies.push(listens(rest))
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

/** Works until the client has noted what is typed meanwhile; the brackets keep it from finding its own words. */
function listens(words: string): object {
  const [first, ...start] = /^[\w ,]{1,20}/.exec(words)![0]
  const isNoted = `${LISTENS} '[${first}]${start.join('')}' "$HOME"/.claude/projects/*/*.jsonl`
  return agent.bash(`${isNoted}; do sleep 0.1; done`)
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
