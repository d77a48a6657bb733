import { Trouble } from '#config/trouble.ts'
import type { Approval } from '#daemon/commands/guard.ts'
import { askedFor } from '#protocol/asked-for.ts'
import type { Cli } from './context.ts'
import { withGuard } from './guard.ts'
import { onlyPeople } from './people-only.ts'
import { ago, clean, note, print, printJson, table } from './print.ts'

/** What agents ask people for, and their answers: `grove intent approve`. */

export interface ApproveOptions {
  reject?: boolean
  note?: string
  show?: boolean
  all?: boolean
  json?: boolean
}

/** Answers one request; without an id it lists those that wait. */
export async function approve(cli: Cli, id: string | undefined, options: ApproveOptions): Promise<void> {
  if (id === undefined) return showInbox(cli, options)
  if (options.show) return showRequest(cli, id, options)
  await onlyPeople(cli, 'answer requests')
  const approval = await withGuard(cli, (guard) => guard.answer(id, options.reject !== true, options.note))
  if (!approval) throw new Trouble(`There is no request ${id}.`, '`grove intent approve` lists the requests.')
  const isCounted = approval.status === (options.reject ? 'rejected' : 'approved')
  if (!isCounted) process.exitCode = 1
  if (options.json) return printJson(approval)
  if (!isCounted) return note(`${approval.id} was already ${approval.status}, and the first answer counts.`)
  printDetail(approval)
  print(`${approval.id} is ${approval.status}: ${clean(approval.what)}`)
}

/** The diff, or the command and what it would touch. */
function printDetail({ detail }: Approval): void {
  if (detail) print(`${detail.split('\n').map(clean).join('\n')}\n`)
}

export function forWhat({ kind, intentId }: Pick<Approval, 'kind' | 'intentId'>): string {
  return kind === 'prompt' ? 'asked by Claude Code' : askedFor(intentId)
}

/** All that is known of one request, to decide by. */
async function showRequest(cli: Cli, id: string, { json }: ApproveOptions): Promise<void> {
  const request = (await withGuard(cli, (guard) => guard.inbox())).find((one) => one.id === id)
  if (!request) throw new Trouble(`There is no request ${id}.`, '`grove intent approve` lists the requests.')
  if (json) return printJson(request)
  const { what, reason, status } = request
  print(
    [
      `${id} (${status}), for ${clean(forWhat(request))}: ${clean(what)}`,
      ...(reason ? [`Why: ${clean(reason)}`] : []),
    ].join('\n'),
  )
  print('')
  printDetail(request)
}

async function showInbox(cli: Cli, { all, json }: ApproveOptions): Promise<void> {
  const requests = (await withGuard(cli, (guard) => guard.inbox())).filter(({ status }) => all || status === 'pending')
  if (json) return printJson({ approvals: requests })
  if (requests.length === 0) {
    print('No request is waiting for an answer.')
    return
  }
  print(
    table(
      requests,
      [
        { head: 'REQUEST', cell: ({ id }: Approval) => id },
        { head: 'INTENT', cell: forWhat },
        { head: 'STATUS', cell: ({ status }) => status },
        { head: 'WHAT', cell: ({ what, reason }) => (reason ? `${what} (${reason})` : what), stretch: true },
        { head: 'ASKED', cell: ({ askedAt }) => ago(Date.now() - askedAt) },
      ],
      cli.paint,
    ),
  )
  const [only, ...others] = requests
  print('')
  if (others.length === 0) printDetail(only!)
  else print('To see the diff or command in full: grove intent approve <request> --show')
}
