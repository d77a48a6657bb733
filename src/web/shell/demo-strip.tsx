import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { call } from '../api/client.ts'
import { Mark } from '../ui/mark.tsx'
import { PLACES } from './places.ts'

const LOOK_AGAIN_MS = 1_000

/** Says what the demo plays now, and where it can be seen; nothing where this is no demo. */
export function DemoStrip() {
  const { data } = useQuery({
    queryKey: ['settings', 'demo'],
    queryFn: ({ signal }) => call('settings', 'demo', {}, signal),
    refetchInterval: ({ state }) => (state.data?.scene ? LOOK_AGAIN_MS : false),
  })
  const scene = data?.scene
  if (!scene) return null
  const { path } = PLACES.find(({ name }) => name === scene.place)!
  return (
    <div className="banner demo" role="status">
      <Mark shape="works" />
      <span className="grow">
        Demo: <b>{scene.text}</b> See <Link href={path}>{scene.place}</Link>: {scene.hint}.
      </span>
    </div>
  )
}
