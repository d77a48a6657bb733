import type { Call, Effect } from '../call.ts'
import { asText, copyPlace } from '../expand.ts'
import { readOptions } from '../options.ts'
import { known, type Output } from '../values.ts'
import { heedUnread } from './unread-code.ts'

/** Editors: they change the file that they are given, unless all that they are told is to show it. */
export const editors: Record<string, Effect> = {
  ed: (call) => {
    const text = asText(call.stdin)
    if (text?.split('\n').every((line) => ED_LOOKS.test(line))) return
    lastOperand(call)
    for (const line of text?.split('\n') ?? []) followLine(call, line)
    if (/^[^a-zA-Z\n\r\u2028\u2029]*(?:!|[wWrefE][ \t]+\S|g.*!)/m.test(text ?? ''))
      call.undecided('ed: is given commands to run')
  },
  ex: editor,
  vi: editor,
  view: editor,
  vim: editor,
  nvim: editor,
  nano: (call) => lastOperand(call),
}

/** `w! other.ts`, `saveas x`, `redir > x`, `!touch x`, `r !make`, `call writefile([…], "x")`: a file or a command of its own. */
function followLine(call: Call, line: string): void {
  const range = String.raw`^:*(?:sil(?:ent)?!? +)?[\d.,;$%'<>+-]*`
  const told = new RegExp(
    `${range}(?:wq?|W|up(?:date)?|x|wri(?:te)?|sav(?:eas)?|exi?t?|redir|mks(?:ession)?|mkv(?:imrc)?|mkexrc)!?(?: +|(?<=redir!?) *)(?:\\+\\+\\S+ +)*(?:>>? *)?([^!|\\s>][^|\\n]*)$`,
  ).exec(line)
  if (told) call.write(known(told[1]!.trim()), 'create')
  const shell = new RegExp(`${range}(?:w|r(?:ead)?)? *!+ *(\\S.*)$`).exec(line)
  if (shell) call.script(shell[1]!, { place: copyPlace(call.place) })
  // What is called, evaluated or run in another language stands for itself.
  else if (/^:*(?:sil(?:ent)?!? +)?(?:cal|exe|let|ec|lua|py|rub|perl|sourc?e?|so )/.test(line))
    heedUnread(call, line, { why: `${call.name}: is given commands to run` })
}

function lastOperand(call: Call): undefined {
  const options = readOptions(call.args, { values: VALUES })
  call.write(options.operands.filter(({ text }) => !text.startsWith('+')).at(-1), 'modify')
}

const VALUES = 'c S cmd u i w W'

/** `,p`, `1,3n`, `g/x/p`, `q`. */
const ED_LOOKS =
  /^(?:[\d.,;$%+-]|\/[^/\n]*\/|\?[^?\n]*\?)*(?:[pnl]{1,3}|[hHPqQ=]|z\d*)?$|^[\d.,;$%+-]*[gv]\/(?:[^/\\\n]|\\.)*\/[pnl]*$/

/** Commands that change the open file and nothing else. */
const EDITS =
  /^:*(?:%|[\d.$]+(?:,[\d.$]+)?|g\W[^!]*?\W)?(?:s\W(?!.*\\=).*|d|x|wq?a?!?|xa?|qa?!?|set? .*|retab!?.*|sort!?|)$/

/** Commands that show something of the file, or of the editor, and those that leave it. */
const LOOKS =
  /^:*(?:(?:[\d.,;$%+-]|\/[^/\n]*\/)*(?:g!?\/[^/\n]*\/|v\/[^/\n]*\/)?(?:p|pr|print|P|l|list|nu|number|#|=)?|(?:q|qa|quit|qall|cq|cquit)!?|ve|version|sy(?:ntax)? (?:on|off)|se(?:t|tlocal)? [\w=,:?&!]+|ec(?:ho|hom|homsg)? [^()|!`]*|lua print\([\w.]*(?:\(\))?\))$/
const LEAVES = /^:*(?:q|qa|quit|qall|cq|cquit)!?$/
/** A file with settings of one's own may hold anything. */
const NO_SETTINGS = /^(?:NONE|NORC|DEFAULTS|\/dev\/null)$/

function editor(call: Call): Output {
  const options = readOptions(call.args, { values: VALUES })
  const said = [...options.all('c', 'cmd'), ...options.operands.filter(({ text }) => text.startsWith('+'))]
  const commands = said.flatMap(({ text }) => text.replace(/^\+/, '').split('|')).map((command) => command.trim())
  const isToldMore = options.has('S', 'w', 'W') || !options.all('u', 'i').every(({ text }) => NO_SETTINGS.test(text))
  const typed = call.stdinFile?.text === '/dev/null' ? '' : asText(call.stdin)
  const ends = typed !== undefined || commands.some((command) => LEAVES.test(command))
  const all = [...commands, ...(typed ? typed.split('\n') : [])]
  if (!isToldMore && all.length > 0 && ends && all.every((command) => LOOKS.test(command))) return undefined
  lastOperand(call)
  for (const command of all) followLine(call, command)
  if (isToldMore || !commands.every((command) => EDITS.test(command)))
    call.undecided(`${call.name}: is given commands to run`)
  return undefined
}
