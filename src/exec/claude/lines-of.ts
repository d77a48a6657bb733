/**
 * The lines of a byte stream, read on only when the caller is done with the last one. Only `\n` ends a line: JSON may hold
 * U+2028, at which Node's own reader would cut. A line that is longer than any the client prints is left out.
 */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  longest = 64 * 1024 * 1024,
): AsyncGenerator<string, void> {
  let pieces: Uint8Array[] = []
  let size = 0
  const take = () => {
    const line = size > longest ? '' : Buffer.concat(pieces).toString('utf8')
    pieces = []
    size = 0
    return line
  }
  for await (const chunk of stream) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, end))
      size += end - from
      from = end + 1
      const line = take()
      if (line.trim() !== '') yield line
    }
    size += chunk.length - from
    if (size <= longest) pieces.push(chunk.subarray(from))
    else pieces = []
  }
  const rest = take()
  if (rest.trim() !== '') yield rest
}
