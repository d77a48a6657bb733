import { useRef } from 'react'
import { act } from '../api/actions.ts'
import { call, Refused } from '../api/client.ts'
import { refresh } from '../api/queries.ts'
import { plural } from '../ui/format.ts'
import { Button } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import type { MemoryEntry } from './derive-memory.ts'

const BATCH = 200

/** Saves every memory as a JSON line, in the form that `grove import` reads. */
export async function exportMemories(project: string | undefined): Promise<void> {
  const lines = await allLines(project).catch((error: unknown) => {
    const why = error instanceof Refused ? error.words : 'Grove cannot be reached.'
    toast({ tone: 'wrong', text: `The memories could not be saved. ${why}` })
  })
  if (!lines) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }))
  link.download = 'grove-memories.jsonl'
  link.click()
  URL.revokeObjectURL(link.href)
  toast({ tone: 'go', text: `${plural(lines.length, 'memory', 'memories')} saved as grove-memories.jsonl.` })
}

async function allLines(project: string | undefined): Promise<string[]> {
  const lines: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await call('memories', 'list', {
      query: { limit: 500, ...(project && { project }), ...(before && { before }) },
    })
    lines.push(...page.memories.map(lineOf))
    before = page.next
    if (!before) return lines
  }
}

/** A memory without the fields that are computed for display. */
export function lineOf({ standing, usefulness, ...memory }: MemoryEntry): string {
  return `${JSON.stringify(memory)}\n`
}

/** Brings memories in from a file of JSON lines. */
export function ImportButton({ projects }: { projects: { id: string; name: string }[] | undefined }) {
  const field = useRef<HTMLInputElement>(null)
  const read = async (file: File) => {
    const lines = (await file.text()).split('\n').filter((line) => line.trim() !== '')
    let kept = 0
    const left = new Map<string, number>()
    for (let at = 0; at < lines.length; at += BATCH) {
      const body = { lines: lines.slice(at, at + BATCH), project: projects![0]!.id }
      const done = await act('memories', 'import', { body }, { label: `Import of ${file.name}` })
      if (!('sent' in done)) return
      kept += done.sent.kept
      for (const { why, count } of done.sent.leftOut) left.set(why, (left.get(why) ?? 0) + count)
    }
    const rest = [...left].map(([why, count]) => `${count} skipped: ${why}`).join('; ')
    toast({
      tone: 'go',
      text: `${kept} of ${plural(lines.length, 'memory', 'memories')} kept.${rest ? ` ${rest}.` : ''}`,
      forMs: 12_000,
    })
    refresh(['memories'], ['projects'])
  }
  return (
    <>
      <input
        ref={field}
        type="file"
        accept=".jsonl,.ndjson,.json"
        hidden
        aria-label="A file of memories"
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) void read(file)
        }}
      />
      {projects?.length === 0 && <span className="small faint">Grove knows no project yet.</span>}
      <Button onClick={() => field.current?.click()} disabled={!projects?.length}>
        Import from a file
      </Button>
    </>
  )
}
