import { request } from 'node:http'
import { requestBody, requestHeaders } from './payload.ts'

/**
 * One request through a contestant to an upstream that returns what arrived: every header must be there, and the client's
 * bytes, with a single insertion among them where something is to be put in.
 */
export async function checkForwarding(port: number, project: string, inserts: boolean): Promise<void> {
  const body = requestBody(project)
  const headers = requestHeaders(`127.0.0.1:${port}`, 0, body.length)
    .split('\r\n')
    .map((line) => line.split(': ') as [name: string, value: string])
  const arrived = await echoed(port, headers, body)
  for (const [name, value] of headers) {
    if (MADE_ANEW.has(name)) continue
    const at = arrived.headers.findIndex((one, i) => i % 2 === 0 && one.toLowerCase() === name)
    if (arrived.headers[at + 1] !== value) throw new Error(`the header ${name} was lost on the way`)
  }
  const got = Buffer.from(arrived.body, 'base64')
  let same = 0
  while (same < body.length && got[same] === body[same]) same++
  if (!got.subarray(got.length - (body.length - same)).equals(body.subarray(same))) {
    throw new Error("the request's bytes changed on the way")
  }
  if (inserts !== got.length > body.length) throw new Error(inserts ? 'nothing was put in' : 'something was put in')
}

const MADE_ANEW = new Set(['host', 'connection', 'content-length'])

function echoed(port: number, headers: [string, string][], body: Buffer): Promise<{ headers: string[]; body: string }> {
  return new Promise((resolve, reject) => {
    const path = '/v1/messages?beta=true&mode=echo'
    request({ port, host: '127.0.0.1', method: 'POST', path, headers: headers.flat() }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
    })
      .on('error', reject)
      .end(body)
  })
}
