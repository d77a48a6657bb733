const MESSAGES = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
  UND_ERR_SOCKET: 'the other side closed the connection',
  UND_ERR_DESTROYED: 'the proxy is closing',
}

/** Why there is no answer. The codes are undici's, which talks to the upstream where HTTPS_PROXY is set. */
export class UpstreamError extends Error {
  constructor(readonly code: keyof typeof MESSAGES) {
    super(MESSAGES[code])
  }
}
