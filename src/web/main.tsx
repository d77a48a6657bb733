import { createRoot } from 'react-dom/client'
import { offerUndoAgain } from './api/actions.ts'
import { startLive } from './api/queries.ts'
import { App } from './app.tsx'
import { listenToKeys } from './shell/keys.ts'
import { applyTheme } from './shell/theme.ts'
import './theme/tokens.css'
import './theme/base.css'
import './theme/parts.css'
import './theme/controls.css'
import './theme/content.css'
import './theme/overlays.css'
import './theme/frame.css'
import './theme/media.css'

applyTheme()
window.addEventListener('storage', applyTheme)
listenToKeys()
offerUndoAgain()
createRoot(document.getElementById('app')!).render(<App socket={startLive()} />)
