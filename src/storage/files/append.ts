import { appendFileSync, closeSync, fstatSync, mkdirSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { openToAppend } from '#config/plain-file.ts'

/**
 * Adds text at the end of a file in one write, so that many processes can do so at once and none loses a line. What a
 * crash or an editor left without a line end gets one first. Resolves to whether the file is new. It is little as a
 * rule, and asking for it in the background would take longer.
 */
export async function appendWhole(path: string, text: string, head = ''): Promise<boolean> {
  mkdirSync(dirname(path), { recursive: true })
  const file = openToAppend(path)
  try {
    const { size } = fstatSync(file)
    const isNew = size === 0
    const gap = isNew || endsLine(file, size) ? '' : '\n'
    appendFileSync(file, (isNew ? head : gap) + text)
    return isNew
  } finally {
    closeSync(file)
  }
}

function endsLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, size - 1)
  return last[0] === 0x0a
}
