/** Why running a command may write more than reading it tells. */
export class Doubts {
  readonly reasons = new Set<string>()
  /** Within a test or a build of the project. */
  isMaking = false
  /** Reading has ended before the command did. */
  isUnread = false
  private strange = 0
  /** How often something was doubted. */
  count = 0

  add(why: string, isExpected = false): undefined {
    this.reasons.add(why)
    this.count++
    if (!isExpected && !this.isMaking) this.strange++
  }

  /** The rest of the command is not read, because it is too long or too intricate. */
  leaveUnread(why: string): undefined {
    this.isUnread = true
    this.add(why)
  }

  /** Every reason was given by a program that is known to test, build, check or install. */
  get areRoutine(): boolean {
    return this.strange === 0
  }
}
