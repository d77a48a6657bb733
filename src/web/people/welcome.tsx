import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { NameForm } from './name-form.tsx'
import './people.css'

/** Asks a teammate who came by an invitation for a name, once. */
export default function Welcome() {
  const [isLater, setLater] = useState(false)
  if (isLater) return null
  return (
    <Dialog
      title="Welcome to Grove"
      about="Your comments, answers and sign-offs carry your name, here and in the files of a feature."
      onClose={() => setLater(true)}
    >
      <NameForm name="" action="This is me" />
    </Dialog>
  )
}
