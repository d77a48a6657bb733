import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Log } from '#core/ports/runtime.ts'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { connectTeam, openTeamDatabase } from './database.ts'

// A server with a certificate that a company's own authority signed, as docs/team.md tells to set it up.

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
let folder: string
let postgres: TestPostgres
let url: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grove-tls-'))
  makeAuthority('authority')
  makeAuthority('stranger')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=db')
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1')
  const signer = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-CAcreateserial', '-days', '2']
  openssl('x509', '-req', '-in', 'server.csr', ...signer, '-extfile', 'names', '-out', 'server.crt')
  postgres = await startPostgres({
    tls: { key: read('server.key'), certificate: read('server.crt'), authority: read('authority.crt') },
  })
  url = await postgres.createDatabase()
})

afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function openssl(...args: string[]) {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
}

function makeAuthority(name: string) {
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  openssl('req', ...kind, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`)
}

const trusting = (name: string, host = '127.0.0.1') => {
  const at = Object.assign(new URL(url), { hostname: host })
  at.searchParams.set('sslmode', 'verify-full')
  at.searchParams.set('sslrootcert', join(folder, `${name}.crt`))
  return at.href
}

it('a server that proves who it is is talked to, in secret', async () => {
  const db = await connectTeam({ url: trusting('authority'), log })
  try {
    const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
    expect(rows).toEqual([{ ssl: true }])
  } finally {
    await db.destroy()
  }
})

it('one that cannot is not, and the way out is named', async () => {
  const open = (at: string) => openTeamDatabase({ url: at, log })
  const untrusted = { code: 'unreachable', suggestion: expect.stringContaining('sslrootcert') }
  await expect(open(trusting('stranger'))).rejects.toMatchObject(untrusted)
  for (const mode of ['verify-full', 'require']) {
    await expect(open(`${url}?sslmode=${mode}`)).rejects.toMatchObject(untrusted)
  }
  // The certificate is for another name.
  await expect(open(trusting('authority', 'localhost'))).rejects.toMatchObject({
    suggestion: expect.stringContaining('another name'),
  })
  await expect(open(trusting('nobody'))).rejects.toMatchObject({ suggestion: expect.stringContaining('is not there') })
})

it('without TLS such a server lets nobody in', async () => {
  await expect(openTeamDatabase({ url: `${url}?sslmode=disable`, log })).rejects.toMatchObject({ code: 'refused' })
})
