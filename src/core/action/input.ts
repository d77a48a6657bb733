import { isFileName, looksLikePath } from './paths.ts'

/** What a tool was told to do, field by field. */
export type ToolInput = Record<string, unknown>

/** What the input says, as the agent wrote it. */
export interface Told {
  files?: string[]
  folders?: string[]
  query?: string
  excerpt?: string
}

/** What an input says by the usual names of its fields. */
export function tellByNames(input: ToolInput): Told {
  const file = text(input.file_path ?? input.notebook_path ?? input.path ?? input.uri).replace(/^file:\/\//, '')
  return {
    ...(looksLikePath(file) && lookedInto(file)),
    query: text(input.query ?? input.pattern ?? input.url ?? input.q),
    excerpt: text(input.prompt ?? input.text ?? input.content ?? input.description),
  }
}

/** A search looks at one file or into a folder; a name with an extension is taken for a file. */
export function lookedInto(path: unknown): Told {
  const [where] = texts(path)
  if (where === undefined) return {}
  return isFileName(where) ? { files: [where] } : { folders: [where] }
}

const WRITING =
  /(?:^|_|-)(?:write|edit|create|delete|remove|move|rename|copy|update|append|insert|patch|put|save|replace|apply)/i
const PATH_KEYS =
  /^(?:path|paths|file|files|file_?path|file_?name|notebook_path|dest|destination|target|new_?path|old_?path|source|relative_path|target_file)$/i

/** The paths that an unknown tool seems to write: `writeFile` and `write_file` both do. */
export function pathsItSaysToWrite(name: string, input: ToolInput): string[] {
  const verb = name.replace(/^mcp__.+?__/, '').replace(/([a-z])([A-Z])/g, '$1_$2')
  return WRITING.test(verb) ? namedPaths(input) : []
}

/** Every text under a key that is usually a path, one level of lists and objects deep. */
function namedPaths(input: ToolInput): string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    if (PATH_KEYS.test(key)) return texts(...[value].flat())
    return objects(value).flatMap((item) =>
      Object.entries(item).flatMap(([inner, path]) => (PATH_KEYS.test(inner) ? texts(...[path].flat()) : [])),
    )
  })
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function texts(...values: unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}

export function objects(value: unknown): ToolInput[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}
