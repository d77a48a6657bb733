import { spawn } from 'node:child_process'
import type { AddedLines, Commit, CommittedFile } from '#core/ports/trace.ts'
import { git } from './git.ts'
import { lookOnly } from './look-only.ts'

/** What reading the trace asks of git. */

const LARGEST = 512 * 1024
const PATIENCE_MS = 60_000

/** The commit a name stands for. */
export async function revisionOf(root: string, name: string): Promise<string | undefined> {
  return git(root, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)
}

/** Files of a commit below the root, links and very large ones left out; paths are counted from the root. */
export async function committedFiles(root: string, revision: string): Promise<CommittedFile[]> {
  const listing = await git(root, 'ls-tree', '-r', '-z', '--long', revision)
  return (listing ?? '').split('\0').flatMap((entry) => {
    const [, mode, oid, size, path] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/.exec(entry) ?? []
    if (!path || !mode?.startsWith('100') || Number(size) > LARGEST) return []
    return [{ path, oid: oid! }]
  })
}

/** The names a file had before, newest first, itself included. */
export async function formerNames(root: string, path: string): Promise<string[]> {
  const args = ['log', '--follow', '--name-only', '--format=', '--relative', '-z', '--', path]
  const names = (await git(root, ...args))?.split('\0').map((name) => name.trim()) ?? []
  return [...new Set([path, ...names.filter(Boolean)])]
}

/** The text of a file in a commit; undefined when it is not there. */
export async function committedText(root: string, revision: string, path: string): Promise<string | undefined> {
  return git(root, 'cat-file', 'blob', `${revision}:./${path}`)
}

/** Files that differ between two commits, from the root. */
export async function changedFiles(root: string, from: string, to: string): Promise<string[]> {
  const names = await git(root, 'diff', '--name-only', '--no-renames', '--relative', '-z', from, to)
  return (names ?? '').split('\0').filter(Boolean)
}

/** Commits of a range (`main..HEAD`, a name, or everything), newest first, merges left out. */
export async function commitsIn(root: string, limit: number, range = 'HEAD'): Promise<Commit[]> {
  const format = '%H%x00%ct%x00%an%x00%s'
  const listing = await git(root, 'log', '--no-merges', `--max-count=${limit}`, `--format=${format}`, range, '--')
  return (listing ?? '').split('\n').flatMap((line) => {
    const [revision, seconds, author = '', subject = ''] = line.split('\0')
    return revision && seconds ? [{ revision, at: Number(seconds) * 1000, author, subject }] : []
  })
}

/** The lines that a commit added, by file; what was only renamed has none. */
export async function addedLines(root: string, revision: string): Promise<AddedLines[]> {
  const plain = ['--no-color', '--no-ext-diff', '--no-textconv', '--relative']
  const args = ['diff-tree', '-r', '--root', '--no-commit-id', '-M', '-p', '-U0', ...plain, revision]
  const patch = await git(root, '-c', 'core.quotePath=false', ...args)
  const files: AddedLines[] = []
  for (const line of (patch ?? '').split('\n')) {
    const path = /^\+\+\+ "?b\/(.+?)"?\t?$/.exec(line)?.[1]
    if (path !== undefined) files.push({ path, ranges: [] })
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (start && Number(count) > 0) {
      files.at(-1)?.ranges.push({ start: Number(start), end: Number(start) + Number(count) - 1 })
    }
  }
  return files.filter(({ ranges }) => ranges.length > 0)
}

/** The texts of many files, in the order asked, through one git process; what is no text comes as undefined. */
export async function* committedTexts(
  root: string,
  files: readonly CommittedFile[],
): AsyncGenerator<{ path: string; text: string | undefined }> {
  if (files.length === 0) return
  const { before, ...how } = await lookOnly(root)
  const child = spawn('git', [...before, '-C', root, 'cat-file', '--batch'], {
    ...how,
    stdio: ['pipe', 'pipe', 'ignore'],
    // A pipe in place of a pack file would block git for ever.
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  // A caller that stops reading early ends git too.
  child.stdin.on('error', () => {})
  child.stdin.end(files.map(({ oid }) => `${oid}\n`).join(''))
  try {
    let rest: Buffer = Buffer.alloc(0)
    let at = 0
    for await (const chunk of child.stdout) {
      rest = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer)
      for (let blob = firstBlob(rest); blob; blob = firstBlob(rest)) {
        rest = rest.subarray(blob.end)
        yield { path: files[at++]!.path, text: textOf(blob.bytes) }
      }
    }
  } finally {
    child.kill()
  }
}

/** `<oid> blob <size>\n<bytes>\n` */
function firstBlob(buffer: Buffer): { bytes: Buffer; end: number } | undefined {
  const head = buffer.indexOf(10)
  if (head < 0) return undefined
  const line = buffer.toString('latin1', 0, head)
  if (line.endsWith(' missing')) return { bytes: Buffer.alloc(0), end: head + 1 }
  const end = head + 1 + Number(line.slice(line.lastIndexOf(' ') + 1))
  return buffer.length > end ? { bytes: buffer.subarray(head + 1, end), end: end + 1 } : undefined
}

function textOf(bytes: Buffer): string | undefined {
  return bytes.subarray(0, 8192).includes(0) ? undefined : bytes.toString('utf8')
}
