import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

export interface ToolCall {
  id: string
  name: string
  input: Record<string, unknown>
}

export interface ToolOutcome {
  text: string
  isError?: boolean
  /** What stood in the file that was written; null where it is new. */
  original?: string | null
}

/** Does what a call of one of the client's own tools asks for, in a folder. */
export async function runTool({ name, input }: ToolCall, cwd: string, env: NodeJS.ProcessEnv): Promise<ToolOutcome> {
  try {
    const original = ['Write', 'Edit'].includes(name) ? textOfFile(fileOf(input, cwd)) : undefined
    return { text: await TOOLS[name]!(input, cwd, env), ...(original !== undefined && { original }) }
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true }
  }
}

type Tool = (input: Record<string, unknown>, cwd: string, env: NodeJS.ProcessEnv) => string | Promise<string>

const TOOLS: Record<string, Tool> = {
  Read: (input, cwd) => readFileSync(fileOf(input, cwd), 'utf8'),
  Write(input, cwd) {
    const file = fileOf(input, cwd)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, String(input.content))
    return `File created successfully at: ${file}`
  },
  Edit(input, cwd) {
    const file = fileOf(input, cwd)
    const text = readFileSync(file, 'utf8')
    if (!text.includes(String(input.old_string))) throw new Error(`The text to replace is not in ${file}.`)
    writeFileSync(file, text.replace(String(input.old_string), String(input.new_string)))
    return `The file ${file} has been updated.`
  },
  Bash: (input, cwd, env) =>
    new Promise((resolve, reject) => {
      execFile('/bin/sh', ['-c', String(input.command)], { cwd, env }, (error, out, complaint) =>
        error ? reject(new Error(`${out}${complaint}` || error.message)) : resolve(out),
      )
    }),
}

/** As Claude Code tells its hooks what a tool has done. */
export function responseOf({ name, input }: ToolCall, { text, original }: ToolOutcome): unknown {
  const { file_path: filePath, content, old_string: oldString, new_string: newString } = input
  const change = { filePath, originalFile: original, structuredPatch: [] }
  if (name === 'Bash') return { stdout: text, stderr: '', interrupted: false }
  if (name === 'Write') return { type: original === null ? 'create' : 'update', content, ...change }
  if (name === 'Edit') return { oldString, newString, userModified: false, replaceAll: false, ...change }
  return name === 'Read' ? { type: 'text', file: { filePath, content: text } } : { content: text }
}

function textOfFile(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function fileOf(input: Record<string, unknown>, cwd: string): string {
  return resolve(cwd, String(input.file_path))
}
