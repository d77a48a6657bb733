interface PageNeeds {
  nonce: string
  version: string
  proxyUrl: string
  /** What the page sends with an answer, see page-key.ts. */
  key: string
}

/** The first page: what runs, and which agents are live. Self-contained, so it works offline and under a strict policy. */
export function page({ nonce, version, proxyUrl, key }: PageNeeds): string {
  const command = escapeHtml(`ANTHROPIC_BASE_URL=${proxyUrl} ENABLE_TOOL_SEARCH=true claude`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="grove-page" content="${escapeHtml(key)}">
<title>Grove</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark('#2f7d4f'))}">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<header>
  <h1>${mark('currentColor')}<span>Grove</span></h1>
  <p id="state" class="state" role="status" data-state="wait"><i aria-hidden="true"></i><span>Connecting</span></p>
</header>
<main>
  <p id="paused" class="paused" role="status" hidden></p>
  <section id="canary" class="warning" role="status" aria-labelledby="canary-title" hidden>
    <h2 id="canary-title">Claude Code is not fully understood</h2>
    <ul id="findings"></ul>
  </section>
  <section id="waiting" aria-labelledby="waiting-title" hidden>
    <h2 id="waiting-title">Waiting for your answer</h2>
    <ul id="approvals"></ul>
  </section>
  <section aria-labelledby="agents-title">
    <h2 id="agents-title">Live agents <span id="count" class="count"></span></h2>
    <ul id="agents"></ul>
    <div id="empty" class="empty" hidden>
      <h3>No agent is live right now</h3>
      <p>Start Claude Code through Grove in any project, and its work appears here.</p>
      <div class="command"><code id="command">${command}</code><button id="copy" type="button">Copy</button></div>
      <p class="hint">Not sure everything is set up? Run <code>grove doctor</code>.</p>
    </div>
  </section>
  <noscript><p class="empty">This page needs JavaScript to show live agents; <code>grove proxy-status</code> shows the same in a terminal.</p></noscript>
</main>
<footer>Grove ${escapeHtml(version)}<span id="uptime"></span></footer>
<template id="agent">
  <li>
    <details>
      <summary>
        <span class="row"><span class="goal"></span><span class="mode" hidden></span><i class="arrow" aria-hidden="true"></i></span>
        <span class="row"><span class="where"></span><span class="facts"></span></span>
      </summary>
      <div class="more"></div>
    </details>
  </li>
</template>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

/** Three trees. */
function mark(colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="26" height="26" viewBox="0 0 24 24" fill="${colour}" aria-hidden="true"><path d="M12 2l5 8h-2.6l3.6 6h-5v6h-2v-6H6l3.6-6H7z"/><path opacity=".55" d="M4.6 9L1 16h3v4h1.4v-4h.4l2.6-4.4zM19.4 9l3.6 7h-3v4h-1.4v-4h-.4l-2.6-4.4z"/></svg>`
}

const STYLE = `
:root {
  --ground: #f6f7f4; --card: #fff; --line: #dfe3da; --text: #1c241d; --soft: #5b665d; --green: #2f7d4f;
  --amber: #8a5a00; --amber-ground: #fdf1d7; --red: #a32020; --red-ground: #fde3e1; --code: #eef1ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #121613; --card: #1a201b; --line: #2d362f; --text: #e6ebe5; --soft: #9aa79c; --green: #6cc48d;
    --amber: #f0c061; --amber-ground: #3a2e12; --red: #ff9c94; --red-ground: #431f1d; --code: #232b25;
  }
}
* { box-sizing: border-box; margin: 0 }
body {
  background: var(--ground); color: var(--text); max-width: 60rem; min-height: 100vh; margin: 0 auto; padding: 0 1.25rem;
  display: flex; flex-direction: column; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
header { display: flex; justify-content: space-between; align-items: center; padding: 1.5rem 0 1.25rem }
h1 { display: flex; align-items: center; gap: .55rem; font-size: 1.3rem; letter-spacing: -.01em }
h1 svg { color: var(--green) }
h2 { font-size: 1rem; margin-bottom: .75rem }
h3 { font-size: 1.05rem; margin-bottom: .25rem }
.paused { color: var(--amber); background: var(--amber-ground); border-radius: .75rem; padding: .6rem 1.1rem; margin-bottom: 1.25rem }
.count { color: var(--soft); font-weight: 400 }
.state { display: flex; align-items: center; gap: .5rem; color: var(--soft); font-size: .9rem }
.state i { width: .6rem; height: .6rem; border-radius: 50%; background: var(--soft) }
.state[data-state=up] i { background: var(--green) }
.state[data-state=down] { color: var(--red) }
.state[data-state=down] i { background: var(--red) }
main { flex: 1 }
ul { list-style: none; padding: 0; display: grid; gap: .75rem }
li, .empty { background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
summary { display: grid; gap: .15rem; padding: .9rem 1.1rem; cursor: pointer; border-radius: .75rem; list-style: none }
.row { display: flex; gap: .15rem 1rem; align-items: baseline }
summary::-webkit-details-marker { display: none }
summary:hover .arrow, summary:focus-visible .arrow { border-color: var(--text) }
.arrow { flex: none; width: .5rem; height: .5rem; border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: translateY(-.15rem) rotate(45deg) }
details[open] .arrow { transform: rotate(-135deg) }
:focus-visible { outline: 2px solid var(--green); outline-offset: 2px }
.goal { flex: 1; font-weight: 600; overflow-wrap: anywhere; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden }
.goal.none { color: var(--soft); font-weight: 400 }
details[open] .goal { display: block }
.where { flex: 1; color: var(--soft); font-size: .875rem; overflow-wrap: anywhere }
.facts { color: var(--soft); font-size: .875rem; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.mode { flex: none; font-size: .8rem; font-weight: 600; padding: .1rem .6rem; border-radius: 1rem }
.mode.drifted { color: var(--amber); background: var(--amber-ground) }
.mode.forced { color: var(--red); background: var(--red-ground) }
.more { border-top: 1px solid var(--line); margin: 0 1.1rem; padding: .8rem 0 1rem; font-size: .875rem }
.more p { color: var(--soft) }
.more ol { list-style: none; padding: 0; display: grid; gap: .3rem; margin-top: .5rem }
.more li { background: none; border: 0; border-radius: 0; display: grid; grid-template-columns: 6.5rem 1fr auto; gap: .75rem }
.more li span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.more li time { color: var(--soft); font-variant-numeric: tabular-nums }
#waiting, #canary { margin-bottom: 1.75rem }
.warning { background: var(--amber-ground); color: var(--amber); border-radius: .75rem; padding: .9rem 1.1rem; font-size: .875rem }
.warning h2 { margin-bottom: .35rem }
.warning ul { gap: .35rem }
.warning li { background: none; border: 0; border-radius: 0; overflow-wrap: anywhere }
.ask { display: flex; gap: .75rem 1rem; align-items: center; padding: .9rem 1.1rem; flex-wrap: wrap }
.ask div { flex: 1 1 20rem; overflow-wrap: anywhere }
.ask p { color: var(--soft); font-size: .875rem }
.ask button { padding: .45rem 1rem }
.empty { padding: 1.6rem 1.5rem }
.empty p { color: var(--soft) }
.command { display: flex; gap: .5rem; margin: 1rem 0 .9rem }
.command code { flex: 1; padding: .65rem .85rem; overflow-x: auto; white-space: nowrap }
code { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--code); border-radius: .4rem; padding: .1rem .35rem; color: var(--text) }
button { font: inherit; font-size: .9rem; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: 0 1rem; min-width: 5.5rem; cursor: pointer }
button:hover { border-color: var(--soft) }
.hint { font-size: .875rem }
footer { color: var(--soft); font-size: .8rem; padding: 1.5rem 0 }
[hidden] { display: none !important }
@media (max-width: 36rem) {
  .row:last-child { flex-direction: column }
  .facts { text-align: left; white-space: normal }
  .command { flex-direction: column }
  .command button { padding: .5rem }
  .more li { grid-template-columns: 5rem 1fr auto }
}
`

/** Every text that comes from an agent is set as text, never as markup. */
const SCRIPT = `
'use strict'
const $ = (id) => document.getElementById(id)
const cards = new Map()


async function get(path) {
  const response = await fetch(path, { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(path + ' answered ' + response.status)
  return response.json()
}

async function refresh() {
  try {
    const [health, { agents }, { approvals }, { findings }, { pauses }] =
      await Promise.all(['/health', '/api/agents', '/api/approvals', '/api/canary', '/api/pauses'].map(get))
    state('up', 'Running')
    $('uptime').textContent = ' · running for ' + span(health.uptimeSeconds * 1000)
    show(agents)
    showWaiting(approvals)
    showFindings(findings)
    showPaused(pauses)
  } catch {
    state('down', 'Not reachable')
  }
}

function state(name, text) {
  const element = $('state')
  if (element.dataset.state === name) return
  element.dataset.state = name
  element.lastElementChild.textContent = text
}

function show(agents) {
  const live = new Set(agents.map((agent) => agent.sessionId))
  for (const [id, card] of cards) if (!live.has(id)) { card.remove(); cards.delete(id) }
  for (const agent of agents) {
    if (!cards.has(agent.sessionId)) cards.set(agent.sessionId, newCard(agent.sessionId))
    fill(cards.get(agent.sessionId), agent)
  }
  const order = agents.map((agent) => cards.get(agent.sessionId))
  // Moving a card would take the focus from it, so only a changed order touches the list.
  if (order.some((card, i) => $('agents').children[i] !== card)) $('agents').append(...order)
  $('empty').hidden = agents.length > 0
  $('count').textContent = agents.length > 0 ? agents.length : ''
}

function showPaused(pauses) {
  $('paused').hidden = pauses.length === 0
  set($('paused'), 'Paused: ' + pauses.map(({ scope, until }) => {
    const what = scope.type === 'all' ? 'everything' : scope.type === 'session' ? 'session ' + scope.id.slice(0, 8) : scope.id
    return what + (until ? ' until ' + new Date(until).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : '')
  }).join(', ') + '. grove resume switches it on.')
}

function showFindings(findings) {
  const lines = findings.map(({ version, noticed, affected, fallback }) =>
    version + ': ' + noticed + '. Affected: ' + affected + '. Instead: ' + fallback + '.')
  const shown = [...$('findings').children].map((item) => item.textContent)
  // Announced once: a list that stays the same is left alone.
  if (lines.join() !== shown.join()) $('findings').replaceChildren(...lines.map((line) => textIn('li', line)))
  $('canary').hidden = findings.length === 0
}

const asked = new Map()

function showWaiting(approvals) {
  const pending = new Set(approvals.map(({ id }) => id))
  for (const [id, item] of asked) if (!pending.has(id)) { item.remove(); asked.delete(id) }
  for (const approval of approvals) if (!asked.has(approval.id)) {
    asked.set(approval.id, newRequest(approval))
    $('approvals').append(asked.get(approval.id))
  }
  $('waiting').hidden = approvals.length === 0
}

function newRequest({ id, what, intentId, root, reason, sessionId }) {
  const item = document.createElement('li')
  item.className = 'ask'
  const words = document.createElement('div')
  words.append(textIn('strong', what), textIn('p', [reason, 'for ' + intentId, root, sessionId.slice(0, 8)].filter(Boolean).join(' · ')))
  item.append(words)
  for (const answer of ['approve', 'reject']) {
    const button = textIn('button', answer === 'approve' ? 'Approve' : 'Reject')
    button.type = 'button'
    button.addEventListener('click', (event) => event.isTrusted && respond(id, answer, item))
    item.append(button)
  }
  return item
}

async function respond(id, answer, item) {
  for (const button of item.querySelectorAll('button')) button.disabled = true
  const body = JSON.stringify({ answer })
  const path = '/api/approvals/' + encodeURIComponent(id)
  const headers = { 'content-type': 'application/json', 'x-grove-page': document.querySelector('meta[name=grove-page]').content }
  const send = (to, body, more) => fetch(to, { method: 'POST', headers: { ...headers, ...more }, body })
  const response = await send('/api/gestures', JSON.stringify({ for: 'POST ' + path }))
    .then((word) => word.json())
    .then(({ gesture }) => send(path, body, { 'x-grove-gesture': gesture }))
    .catch(() => undefined)
  // Grove has another token than when this page was loaded.
  if (response && response.status === 403) location.reload()
  for (const button of item.querySelectorAll('button')) button.disabled = false
  refresh()
}

function textIn(name, text) {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

function newCard(id) {
  const card = $('agent').content.firstElementChild.cloneNode(true)
  card.querySelector('details').addEventListener('toggle', () => more(card, id))
  return card
}

function fill(card, agent) {
  const goal = card.querySelector('.goal')
  set(goal, agent.goal || 'No goal yet')
  goal.classList.toggle('none', !agent.goal)
  const mode = card.querySelector('.mode')
  mode.hidden = !agent.mode || agent.mode === 'normal'
  mode.className = 'mode ' + (agent.mode || '')
  set(mode, agent.mode === 'forced' ? 'Held on course' : 'Off goal')
  set(card.querySelector('.where'), [agent.project, agent.model, agent.sessionId.slice(0, 8)].filter(Boolean).join(' · '))
  const tokens = agent.contextTokens.toLocaleString('en') + ' tokens in window'
  const steps = agent.steps + (agent.steps === 1 ? ' step' : ' steps')
  const silent = Date.now() - agent.lastSeenAt
  set(card.querySelector('.facts'), [tokens, steps, silent < 5000 ? 'active now' : span(silent) + ' ago'].join(' · '))
  if (card.querySelector('details').open) more(card, agent.sessionId)
}

async function more(card, id) {
  if (!card.querySelector('details').open) return
  const box = card.querySelector('.more')
  try {
    const { session, steps, tokens } = await get('/api/agents/' + encodeURIComponent(id))
    const note = document.createElement('p')
    const spent = tokens.input + tokens.cacheRead + tokens.cacheWrite
    note.textContent = [session.cwd, tokens.turns + (tokens.turns === 1 ? ' model call' : ' model calls'), spent.toLocaleString('en') + ' tokens in, ' + tokens.output.toLocaleString('en') + ' out'].filter(Boolean).join(' · ')
    const list = document.createElement('ol')
    for (const step of steps.slice(0, 12)) list.append(row(step))
    box.replaceChildren(note, list)
  } catch {
    box.textContent = 'The details could not be loaded.'
  }
}

function row(step) {
  const item = document.createElement('li')
  const tool = document.createElement('span')
  tool.textContent = step.tool
  const what = document.createElement('span')
  what.textContent = what.title = step.files.join(', ') || step.command || step.query || ''
  const when = document.createElement('time')
  when.dateTime = new Date(step.at).toISOString()
  when.textContent = span(Date.now() - step.at) + ' ago'
  item.append(tool, what, when)
  return item
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text
}

function span(ms) {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 60) return s + ' s'
  if (s < 3600) return Math.floor(s / 60) + ' min'
  if (s < 86400) return Math.floor(s / 3600) + ' h ' + Math.floor((s % 3600) / 60) + ' min'
  return Math.floor(s / 86400) + ' d'
}

$('copy').addEventListener('click', async () => {
  const text = $('command').textContent
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Without https the clipboard is closed on other machines: select the text, so that one keystroke copies it.
    getSelection().selectAllChildren($('command'))
    $('copy').textContent = 'Selected'
    return
  }
  $('copy').textContent = 'Copied'
  setTimeout(() => { $('copy').textContent = 'Copy' }, 2000)
})

async function loop() {
  if (!document.hidden) await refresh()
  setTimeout(loop, 2000)
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh() })
loop()
`
