import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

export interface ToolCall {
  id: string
  name: string
  input: Record<string, unknown>
}

export interface ToolOutcome {
  text: string
  isError?: boolean
}

/** Does what a call of one of the client's own tools asks for, in a folder. */
export async function runTool({ name, input }: ToolCall, cwd: string, env: NodeJS.ProcessEnv): Promise<ToolOutcome> {
  try {
    return { text: await TOOLS[name]!(input, cwd, env) }
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true }
  }
}

type Run = (input: Record<string, unknown>, cwd: string, env: NodeJS.ProcessEnv) => string | Promise<string>

const TOOLS: Record<string, Run> = {
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

function fileOf(input: Record<string, unknown>, cwd: string): string {
  return resolve(cwd, String(input.file_path))
}
