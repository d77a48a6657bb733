import { createInterface } from 'node:readline/promises'
import { Trouble } from '#config/trouble.ts'

/** Asks a yes-or-no question. Without a terminal it fails unless `--yes` was given. */
export async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Trouble('This needs a confirmation, but there is no terminal to ask in.', 'Add --yes.')
  const ask = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await ask.question(`${question}\n[y/N] `)).trim())
  } finally {
    ask.close()
  }
}
