/** An error body in the shape of the Messages API, so that the client shows our message as it would show the API's. */
export function apiErrorBody(type: string, message: string): string {
  return JSON.stringify({ type: 'error', error: { type, message } })
}
