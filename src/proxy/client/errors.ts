import { STATUS_CODES } from 'node:http'
import { apiErrorBody } from '#protocol/anthropic.ts'

/** An answer of our own, in the API's error shape so that the client shows it like one of the API's. */
export interface OwnError {
  status: number
  type: string
  message: string
}

export function tooLarge(limit: number): OwnError {
  return {
    status: 413,
    type: 'request_too_large',
    message: `The request is larger than the ${Math.floor(limit / 1024 / 1024)} MB Grove passes on. Compact the conversation or leave out large files.`,
  }
}

export function foreignHost(host: string | undefined): OwnError {
  return {
    status: 403,
    type: 'permission_error',
    message: `Grove answers only to its own address, not to ${host ? JSON.stringify(host) : 'a request without Host'}. Use http://127.0.0.1 or the configured PROXY_HOST.`,
  }
}

export function foreignOrigin(origin: string): OwnError {
  return {
    status: 403,
    type: 'permission_error',
    message: `Web pages may not use the Grove proxy (${JSON.stringify(origin)}).`,
  }
}

export function keyMissing(): OwnError {
  return {
    status: 403,
    type: 'permission_error',
    message:
      'This Grove can be reached from other machines, so its proxy wants the key of its user in the address. Start Claude Code with `grove claude`, or set ANTHROPIC_BASE_URL to the address that `grove up` prints.',
  }
}

export function noRoom(): OwnError {
  return {
    status: 529,
    type: 'overloaded_error',
    message:
      "Requests that are not known to be this user's fill the room that Grove keeps for them. Start Claude Code with `grove claude`.",
  }
}

export function loop(host: string): OwnError {
  return {
    status: 508,
    type: 'api_error',
    message: `Grove's upstream ${host} leads back to Grove itself. Set ANTHROPIC_TARGET to the API's own address, for example https://api.anthropic.com.`,
  }
}

export function badTarget(url: string): OwnError {
  return {
    status: 400,
    type: 'invalid_request_error',
    message: `Grove cannot forward the path ${JSON.stringify(url)}.`,
  }
}

export function noTunnel(): OwnError {
  return {
    status: 405,
    type: 'invalid_request_error',
    message: 'Grove is no proxy for other hosts. Set ANTHROPIC_BASE_URL to its address instead of HTTPS_PROXY.',
  }
}

/** Why there is no answer from the upstream, and what to do about it. */
export function noAnswer(error: unknown, host: string, headersMs: number): OwnError {
  const { code, message } = codeAndMessage(error)
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return {
      status: 504,
      type: 'timeout_error',
      message: `${host} did not answer within ${Math.round(headersMs / 1000)} s. Try again; if this persists, see its status page.`,
    }
  }
  return { status: 502, type: 'api_error', message: `Grove got no answer from ${host}: ${reason(code, message)}` }
}

function reason(code: string, message: string): string {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name cannot be resolved (${code}). Check the network, and ANTHROPIC_TARGET if this is not the host you meant.`
    case 'ECONNREFUSED':
      return 'nothing listens there (ECONNREFUSED). Check ANTHROPIC_TARGET and that the upstream is running.'
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `it cannot be reached (${code}). Check the network; behind a company proxy set HTTPS_PROXY.`
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'the connection was closed before the answer began. Trying again is safe.'
    case 'UND_ERR_INVALID_ARG':
      return `the request cannot be passed on (${message}).`
    default:
      if (/^Proxy response/.test(message)) return `the proxy in HTTPS_PROXY refused the connection (${message}).`
      if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/.test(code)) {
        return `its certificate is not trusted (${code}). Behind a company proxy set NODE_EXTRA_CA_CERTS to its certificate.`
      }
      return `${message || 'the connection failed'}${code ? ` (${code})` : ''}. Run \`grove doctor\` to check the connection.`
  }
}

function codeAndMessage(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { code, message: error.message }
}

/** The error as the raw bytes of a whole HTTP answer, for connections that never became a request. */
export function rawAnswer({ status, type, message }: OwnError): string {
  const body = apiErrorBody(type, message)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}

/** What is wrong with bytes that are no HTTP request. */
export function unreadable(code: string | undefined): OwnError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, type: 'invalid_request_error', message: 'The request headers are too large for Grove.' }
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, type: 'timeout_error', message: 'The request did not arrive in time.' }
  }
  return { status: 400, type: 'invalid_request_error', message: 'This is not an HTTP request Grove can read.' }
}
