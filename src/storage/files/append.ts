import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Adds text at the end of a file in one write, so that many processes can do so at once and none loses a line. What a
 * crash or an editor left without a line end gets one first. Resolves to whether the file is new.
 */
export async function appendWhole(path: string, text: string, head = ''): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a+')
  try {
    const { size } = await file.stat()
    const isNew = size === 0
    const gap = isNew || (await endsLine(file, size)) ? '' : '\n'
    await file.appendFile((isNew ? head : gap) + text)
    return isNew
  } finally {
    await file.close()
  }
}

async function endsLine(file: Awaited<ReturnType<typeof open>>, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}
