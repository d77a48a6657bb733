import { useLocation } from 'wouter'
import { TeamPanel } from '../people/team.tsx'
import { Segments } from '../ui/segments.tsx'
import { useTitle } from '../ui/title.ts'
import { Attachments } from './attachments.tsx'
import { Configuration } from './configuration.tsx'
import { Doctor } from './doctor.tsx'
import { General } from './general.tsx'
import './settings.css'

const PARTS = {
  general: 'General',
  team: 'Team',
  configuration: 'Configuration',
  doctor: 'Doctor',
  attachments: 'Attachments',
}
type Part = keyof typeof PARTS

export default function Settings({ part = 'general' }: { part: string | undefined }) {
  const [, go] = useLocation()
  const shown = part in PARTS ? (part as Part) : 'general'
  useTitle('Settings')
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>Settings</h1>
        </div>
        <Segments
          label="Part"
          value={shown}
          onChoose={(value) => go(`/settings/${value}`)}
          choices={(Object.keys(PARTS) as Part[]).map((value) => ({ value, label: PARTS[value] }))}
        />
      </header>
      {shown === 'general' && <General />}
      {shown === 'team' && <TeamPanel />}
      {shown === 'configuration' && <Configuration />}
      {shown === 'doctor' && <Doctor />}
      {shown === 'attachments' && <Attachments />}
    </div>
  )
}
