import { useState } from 'react'
import { act } from '../api/actions.ts'
import { refresh } from '../api/queries.ts'
import { Mark } from '../ui/mark.tsx'
import { Ago, Button, Command, Note } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import { NameForm } from './name-form.tsx'
import { SharedMemory } from './shared-memory.tsx'
import { usePeople } from './use-me.ts'
import './people.css'

/** Teammates of this Grove, and invitations for new ones. */
export function TeamPanel() {
  const { me, people } = usePeople()
  if (!me) return null
  return (
    <div className="stack-3">
      <section className="stack">
        <h2>Your name</h2>
        <p className="dim">
          Comments, answers and sign-offs that are given in {me.isOwner ? 'your browsers' : 'this browser'} carry it.
        </p>
        <NameForm key={me.name} name={me.name ?? ''} action={me.name ? 'Change it' : 'This is me'} />
      </section>
      <section className="stack">
        <h2>People</h2>
        {people.every(({ id }) => id === me.id) && <p className="dim">Nobody else yet.</p>}
        <ul className="brief">
          {people.map(({ id, name, pairedAt }) => (
            <li key={id}>
              <Mark shape={name ? 'works' : 'open'} tone="rest" />
              <div>
                <b>{name ?? 'Has not said a name yet'}</b>
                <p className="faint">
                  {id === me.id ? 'you' : id === 'owner' ? 'this Grove is theirs' : 'teammate'} · <Ago at={pairedAt} />
                </p>
              </div>
              {me.isOwner && id !== 'owner' ? <TakeBack id={id} name={name} /> : <span />}
            </li>
          ))}
        </ul>
      </section>
      <Invite />
      <SharedMemory />
    </div>
  )
}

function TakeBack({ id, name }: { id: string; name: string | null }) {
  const [isSure, setSure] = useState(false)
  const take = async () => {
    const done = await act('people', 'remove', { params: { id } }, { label: 'Take a pairing back' })
    refresh(['people'])
    if ('sent' in done) toast({ tone: 'go', text: `${name ?? 'The browser'} is not let in any more.` })
  }
  if (!isSure) {
    return (
      <Button look="quiet" onClick={() => setSure(true)}>
        Take the pairing back
      </Button>
    )
  }
  return (
    <span className="row">
      <Button look="danger" onClick={() => void take()}>
        Do not let {name ?? 'this browser'} in any more
      </Button>
      <Button look="quiet" onClick={() => setSure(false)}>
        Keep it
      </Button>
    </span>
  )
}

/** A link that lets one browser in, as that of a teammate. */
export function Invite({ to = '/' }: { to?: string }) {
  const [made, setMade] = useState<{ path: string; addresses: string[] }>()
  const make = async () => {
    const done = await act('people', 'invite', { body: { to } }, { label: 'Invite a teammate' })
    if ('sent' in done) setMade(done.sent)
  }
  return (
    <section className="stack">
      <h2>Invite a teammate</h2>
      <p className="dim">
        The link lets one browser in, once, within a day. Whoever opens it is asked for a name, sees everything on these
        pages and may answer and approve like you.
      </p>
      {made ? (
        <>
          {(made.addresses.length > 0 ? made.addresses : [location.origin]).map((address) => (
            <Command key={address} text={`${address}${made.path}`} />
          ))}
          {made.addresses.length === 0 && (
            <Note>
              <span>
                Only this machine can reach Grove now. For a teammate elsewhere start it with{' '}
                <code>HOST=0.0.0.0 grove up</code>.
              </span>
            </Note>
          )}
        </>
      ) : (
        <Button onClick={() => void make()}>Make an invitation</Button>
      )}
    </section>
  )
}
