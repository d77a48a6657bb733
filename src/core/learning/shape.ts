/** How a sentence is written down, whatever its language: notes that help are terse and exact, reports list and count. */
export function shapeOf(text: string): number[] {
  const length = Math.max(20, [...text].length)
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0
  return [
    ...LOOKS.map((look) => Number(look.test(text))),
    Math.min(count(/;/g), 2),
    Math.min(count(/[::]/g), 2),
    Math.min(count(/[,、,]/g), 4) / 2,
    Math.min((count(/\d+/g) * 40) / length, 2),
    Math.min(count(/`/g) / 2, 2),
    Math.min(count(/[.!?。](?:\s|$)/gu), 3),
    Math.min(length / 100, 2),
    Number(length < 70),
    Number(length > 130),
  ]
}

const LOOKS = [
  // How it begins and ends.
  /^[\p{Ll}`]/u,
  /^\p{Lu}/u,
  /^\d/,
  /[.!。]$/u,
  // Comparisons and what was said word for word.
  /[→≥≤<>=]/,
  /["“„«'「]/,
  // Tickets and pull requests, shares, times of day.
  /\b[A-Z]{2,6}-\d+\b/,
  /#\d+/,
  /\d\s?%/,
  /\d:\d\d/,
  // Constants, options, calls, paths, files.
  /\b[A-Z][A-Z0-9_]{3,}\b/,
  /--\w/,
  /\w\(\)/,
  /\w\/\w/,
  /\w\.\w{2,4}\b/,
]
