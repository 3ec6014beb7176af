import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { isRecord } from '../../../0-contracts/src/index.js'
import { jsonOr } from '../fields.js'
import { bytesOfContent, type KeptContent } from './starting-model.js'

const PIECE = 1 << 20
const BEGIN = '{"type":"content"'

/** Lengths in bytes of the contents in a recording, by SHA-256. Incomplete lines are ignored. */
export function keptContents(file: string): Map<string, number> {
  const kept = new Map<string, number>()
  for (const line of linesOf(file)) {
    const event = line.startsWith(BEGIN) ? jsonOr(line) : undefined
    if (!isRecord(event) || typeof event['sha256'] !== 'string') continue
    if (typeof event['text'] !== 'string' && typeof event['base64'] !== 'string') continue
    kept.set(event['sha256'], bytesOfContent(event as unknown as KeptContent).length)
  }
  return kept
}

function* linesOf(file: string): Generator<string, void> {
  // Pipes and devices have nothing to read again.
  if (!statSync(file).isFile()) return
  const descriptor = openSync(file, 'r')
  try {
    const piece = Buffer.alloc(PIECE)
    let parts: Buffer[] = []
    for (let length = readSync(descriptor, piece); length > 0; length = readSync(descriptor, piece)) {
      let from = 0
      for (let end = piece.indexOf(10); end !== -1 && end < length; end = piece.indexOf(10, from)) {
        yield Buffer.concat([...parts, piece.subarray(from, end)]).toString('utf8')
        parts = []
        from = end + 1
      }
      parts.push(Buffer.from(piece.subarray(from, length)))
    }
  } finally {
    closeSync(descriptor)
  }
}
