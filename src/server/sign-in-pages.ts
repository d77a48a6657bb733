import type { FastifyReply } from 'fastify'

/** The two pages that a browser may see without a cookie. Nothing of the home stands in them, and nothing runs in them. */

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The look of the app, of which a browser without a cookie gets no file. */
const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f7f8f5, #121512); --surface: light-dark(#ffffff, #191d19);
  --line: light-dark(#e2e4de, #2b312b); --ink: light-dark(#181b17, #e8ebe5); --ink-2: light-dark(#484d45, #b9bfb4); --go: light-dark(#22834e, #4fb37d) }
body { max-width: 30rem; margin: 15vh auto; padding: 0 24px; background: var(--ground); color: var(--ink-2);
  font: 14px/20px -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, system-ui, sans-serif }
svg { display: block; width: 24px; height: 24px; fill: var(--go) }
h1 { margin: 16px 0 8px; color: var(--ink); font-size: 20px; line-height: 28px; font-weight: 600 }
p { margin: 8px 0 }
a { color: var(--ink) }
code, pre { color: var(--ink); font-family: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace; font-size: 13px }
pre { margin: 8px 0; padding: 8px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface) }`

const TREE =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 1.5l5.2 8.3h-2.7l3.9 6.4H13v6.3h-2v-6.3H5.6l3.9-6.4H6.8z"/></svg>'

/** Tells how to get in. */
export function signInPage(reply: FastifyReply) {
  return send(
    reply.status(401),
    '',
    `${TREE}
<h1>Grove does not know this browser</h1>
<p>On this machine, run</p>
<pre>grove open</pre>
<p>It opens this page with a link for this browser. On another device, open the address that
<code>grove up</code> prints, or scan its code.</p>`,
  )
}

/** Redirects by a page of our own: the browser leaves its strict cookie out of a redirect that began on another site. */
export function redirectPage(reply: FastifyReply, location: string) {
  const target = escapeHtml(location)
  return send(
    reply.status(200),
    `<meta http-equiv="refresh" content="0;url=${target}">`,
    `<p><a href="${target}">Continue to Grove</a></p>`,
  )
}

function send(reply: FastifyReply, head: string, body: string) {
  return reply
    .header('content-security-policy', POLICY)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}
<title>Grove</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
