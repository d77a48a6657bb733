import { toast } from './toasts.ts'

/** Copies a text; says so when the browser does not let it. */
export async function copyText(text: string): Promise<boolean> {
  if ((await byClipboard(text)) || bySelection(text)) return true
  toast({ tone: 'wrong', text: 'It could not be copied: the browser forbids it. Select the text and copy it by hand.' })
  return false
}

async function byClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false // Forbidden, or not there: by plain http from another machine a browser has no clipboard.
  }
}

/** The older way, which every address has. In a dialog the field must lie in it, or the focus would be taken back. */
function bySelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'hidden-label'
  field.value = text
  const place = before?.closest('[role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isDone
}
