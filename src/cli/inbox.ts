import { Trouble } from '#config/trouble.ts'
import type { Approval } from '#daemon/commands/guard.ts'
import type { Cli } from './context.ts'
import { withGuard } from './guard.ts'
import { onlyPeople } from './people-only.ts'
import { ago, clean, print, printJson, table } from './print.ts'

/** What agents ask people for, in a terminal. */

export interface ApproveOptions {
  reject?: boolean
  note?: string
  all?: boolean
  json?: boolean
}

/** Answers one request; without an id it lists those that wait. */
export async function approve(cli: Cli, id: string | undefined, options: ApproveOptions): Promise<void> {
  if (id === undefined) return showInbox(cli, options)
  await onlyPeople(cli, 'answer requests')
  const approval = await withGuard(cli, (guard) => guard.answer(id, options.reject !== true, options.note))
  if (!approval) throw new Trouble(`There is no request ${id}.`, 'See the inbox: grove intent approve')
  if (options.json) return printJson(approval)
  print(`${approval.id} is ${approval.status}: ${clean(approval.what)}`)
}

async function showInbox(cli: Cli, { all, json }: ApproveOptions): Promise<void> {
  const requests = (await withGuard(cli, (guard) => guard.inbox())).filter(({ status }) => all || status === 'pending')
  if (json) return printJson({ approvals: requests })
  if (requests.length === 0) {
    print('Nothing is waiting for an answer.')
    return
  }
  print(
    table(
      requests,
      [
        { head: 'REQUEST', cell: ({ id }: Approval) => id },
        { head: 'INTENT', cell: ({ intentId }) => intentId },
        { head: 'STATUS', cell: ({ status }) => status },
        { head: 'WHAT', cell: ({ what, reason }) => (reason ? `${what} (${reason})` : what), stretch: true },
        { head: 'ASKED', cell: ({ askedAt }) => ago(Date.now() - askedAt) },
      ],
      cli.paint,
    ),
  )
}
