/** Where an address leads, in a word. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'another site'
  }
}
