// The wire of extensions as their test programs write and read it; it uses nothing of hermes.

/** A message with its header. */
export function frame(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
}

/** Calls `take` with each message that comes by standard input. */
export function readFrames(take) {
  let rest = Buffer.alloc(0)
  process.stdin.on('data', (piece) => {
    rest = Buffer.concat([rest, piece])
    for (let end; (end = rest.indexOf('\r\n\r\n')) !== -1;) {
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, end).toString())[1])
      if (rest.length < end + 4 + length) return
      const message = JSON.parse(rest.subarray(end + 4, end + 4 + length).toString())
      rest = rest.subarray(end + 4 + length)
      take(message)
    }
  })
}
