import type { FastifyReply } from 'fastify'

/** The two pages that a browser may see without a cookie. Nothing of the home stands in them, and nothing runs in them. */

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Tells how to get in. */
export function signInPage(reply: FastifyReply) {
  return send(
    reply.status(401),
    '',
    `<h1>Grove does not know this browser</h1>
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
    `<p><a href="${target}">Go on to Grove</a></p>`,
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
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1.25rem } pre { padding: .75rem 1rem; border: 1px solid; border-radius: .5rem }</style>
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
