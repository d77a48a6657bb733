/** Who sent a command, and under which id; an owner who has given no name is not named. */
export interface Sender {
  request?: string | undefined
  by?: string | null | undefined
}

export function named({ by }: Sender): { by?: string } {
  return by == null ? {} : { by }
}
