/** Other programs, started with an argument array and never through a shell; `exec/spawn.ts` runs them. */

export type RunProgram = (program: string, args: string[], options?: RunOptions) => Promise<Ran>

export interface RunOptions {
  cwd?: string
  env?: Record<string, string | undefined>
  input?: string
  timeoutMs?: number
  /** Ended at once where the system shows that it waits for the other end of a pipe to be opened. */
  endsAtPipes?: true
  signal?: AbortSignal
  /** More output than this ends the process: a runaway command must not fill our memory. */
  maxOutput?: number
}

export interface Ran {
  code: number | null
  signal: string | null
  stdout: string
  stderr: string
}
