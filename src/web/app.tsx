import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { LiveSocket } from './api/live.ts'
import { cache, useAsk } from './api/queries.ts'
import { useInbox } from './inbox/use-inbox.ts'
import { usePeople } from './people/use-me.ts'
import { Banner } from './shell/banner.tsx'
import { CheatSheet } from './shell/cheat-sheet.tsx'
import { DemoStrip } from './shell/demo-strip.tsx'
import { Failed } from './shell/failed.tsx'
import { useKeys } from './shell/keys.ts'
import { More } from './shell/more.tsx'
import { useNotifications } from './shell/notifications.ts'
import { Palette } from './shell/palette.tsx'
import { PLACES, pageOf } from './shell/places.ts'
import { Rail } from './shell/rail.tsx'
import { plural } from './ui/format.ts'
import { Skeleton } from './ui/small.tsx'
import { Toaster } from './ui/toaster.tsx'

const Inbox = lazy(() => import('./inbox/inbox.tsx'))
const Features = lazy(() => import('./features/features.tsx'))
const NewFeature = lazy(() => import('./features/new-feature.tsx'))
const Feature = lazy(() => import('./feature/feature.tsx'))
const Agents = lazy(() => import('./agents/agents.tsx'))
const Agent = lazy(() => import('./agents/agent.tsx'))
const Memory = lazy(() => import('./memory/memory.tsx'))
const Learnings = lazy(() => import('./learnings/learnings.tsx'))
const Intents = lazy(() => import('./intents/intents.tsx'))
const Insights = lazy(() => import('./insights/insights.tsx'))
const Settings = lazy(() => import('./settings/settings.tsx'))
const Welcome = lazy(() => import('./people/welcome.tsx'))

export function App({ socket }: { socket: LiveSocket }) {
  return (
    <QueryClientProvider client={cache}>
      <Failed>
        <Frame socket={socket} />
      </Failed>
      <Toaster />
    </QueryClientProvider>
  )
}

function Frame({ socket }: { socket: LiveSocket }) {
  const [path, go] = useLocation()
  const [over, setOver] = useState<'palette' | 'keys' | 'more' | undefined>()
  const close = useCallback(() => setOver(undefined), [])
  const { open, isLoading } = useInbox()
  const { me } = usePeople()
  const agents = useAsk('agents', 'list', {})
  const features = useAsk('sessions', 'list', { query: { filter: 'all', limit: 500 } })
  const waiting = useMemo(() => open.filter(({ tone }) => tone !== 'rest'), [open])
  useNotifications(isLoading ? undefined : waiting)
  useFocusOnMove(path)
  useKeys('Everywhere', {
    'mod+k': ['go anywhere', () => setOver('palette')],
    '?': ['show these keys', () => setOver('keys')],
    ...Object.fromEntries(PLACES.map(({ key, name, path: to }) => [`g ${key}`, [`go to ${name}`, () => go(to)]])),
    'c f': ['start a feature', () => go('/features/new')],
  })
  return (
    <div className="app">
      <a href="#main" className="button skip">
        Skip to the page
      </a>
      <Rail
        waiting={waiting.length}
        // Outside of the views an answer of another form must not take the page down.
        counts={{ '/agents': agents.data?.agents?.length, '/features': features.data?.total }}
        onMore={() => setOver('more')}
        onPalette={() => setOver('palette')}
      />
      <p className="hidden-label" aria-live="polite">
        {waiting.length > 0 && `${plural(waiting.length, 'thing waits', 'things wait')} for you`}
      </p>
      <main className="main" id="main" tabIndex={-1}>
        <Banner socket={socket} />
        <DemoStrip />
        <Failed key={path.split('/').slice(0, 4).join('/')}>
          <Suspense fallback={<Loading />}>
            <Switch>
              <Route path="/">
                <Redirect to="/inbox" replace />
              </Route>
              <Route path="/inbox" component={Inbox} />
              <Route path="/features" component={Features} />
              <Route path="/features/new" component={NewFeature} />
              <Route path="/features/:project/:feature/:tab?">
                {({ project, feature, tab }) => (
                  <Feature key={`${project}/${feature}`} projectId={project} featureId={feature} tab={tab} />
                )}
              </Route>
              <Route path="/agents" component={Agents} />
              <Route path="/agents/:id">{({ id }) => <Agent id={id} />}</Route>
              <Route path="/memory/:id?">{({ id }) => <Memory id={id} />}</Route>
              <Route path="/learnings/:id?">{({ id }) => <Learnings id={id} />}</Route>
              <Route path="/intents/:id?">{({ id }) => <Intents id={id} />}</Route>
              <Route path="/insights" component={Insights} />
              <Route path="/settings/:part?">{({ part }) => <Settings part={part} />}</Route>
              <Route>
                <Nowhere />
              </Route>
            </Switch>
          </Suspense>
        </Failed>
      </main>
      <Suspense>{me && !me.isOwner && me.name === null && <Welcome />}</Suspense>
      {/* Part of the first load: what is typed right after the key must not reach the page below. */}
      {over === 'palette' && <Palette onClose={close} onKeys={() => setOver('keys')} />}
      {over === 'keys' && <CheatSheet onClose={close} />}
      {over === 'more' && <More onClose={close} />}
    </div>
  )
}

/** Another page begins at its top, and a screen reader reads it from there. On the way back the browser knows where one was. */
function useFocusOnMove(path: string): void {
  const page = pageOf(path)
  const before = useRef(page)
  const isBack = useRef(false)
  useEffect(() => {
    const onPop = () => {
      isBack.current = true
    }
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  useEffect(() => {
    const wasBack = isBack.current
    isBack.current = false
    if (before.current === page) return
    before.current = page
    if (!wasBack) window.scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [page])
}

function Loading() {
  return (
    <div className="page">
      <Skeleton rows={6} />
    </div>
  )
}

function Nowhere() {
  return (
    <div className="page">
      <h1>Nothing here</h1>
      <p className="dim">
        This address leads nowhere. What waits for you is in the <Link href="/inbox">inbox</Link>.
      </p>
    </div>
  )
}
