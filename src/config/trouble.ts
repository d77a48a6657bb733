/** Something a person can fix: what is wrong, and the way out. Printed without a stack trace. */
export class Trouble extends Error {
  readonly wayOut: string

  constructor(message: string, wayOut: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Trouble'
    this.wayOut = wayOut
  }
}
