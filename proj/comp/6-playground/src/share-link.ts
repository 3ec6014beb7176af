/** The fragment of an address (after `#`): an answer and how to read it, compressed where the browser can. */
import { usageError } from '../../0-text/src/index.js'
import { HermesError, READ_FORMATS, type ReadFormat } from '../../0-contracts/src/index.js'

/** Longest fragment, in characters: chats and mail cut longer addresses. */
const MOST_CHARACTERS = 32_000
/** Most bytes that a fragment may decompress to. */
const MOST_BYTES = 2_000_000
/** `a` is deflated, `p` is plain. */
const SHAPE = /^#?([ap])=([\w-]*)$/

export interface SharedAnswer {
  text: string
  formats: readonly ReadFormat[]
}

/** @throws HermesError `INVALID_OPTION` where the answer does not fit into an address */
export async function fragmentOf({ text, formats }: SharedAnswer): Promise<string> {
  const bytes = new TextEncoder().encode(`${formats.join(',')}\n${text}`)
  const isPacked = typeof CompressionStream === 'function'
  const packed = isPacked ? await through(bytes, new CompressionStream('deflate-raw'), Infinity) : bytes
  const fragment = `#${isPacked ? 'a' : 'p'}=${toBase64(packed)}`
  if (fragment.length <= MOST_CHARACTERS && bytes.length <= MOST_BYTES) return fragment
  throw usageError('The answer is too long for a link', 'Share it as a file.')
}

/**
 * @returns `undefined` where the fragment is of something else
 * @throws HermesError `INVALID_OPTION` where it is damaged, or decompresses to too much
 */
export async function readFragment(fragment: string): Promise<SharedAnswer | undefined> {
  if (!/^#?[ap]=/.test(fragment)) return undefined
  const [, kind, data = ''] = fragment.length > 2 * MOST_CHARACTERS ? [] : SHAPE.exec(fragment) ?? []
  if (kind === undefined) throw damaged()
  const bytes = await unpacked(fromBase64(data), kind === 'a')
  let whole: string
  try {
    whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw damaged()
    throw error
  }
  const end = whole.indexOf('\n')
  const names = whole.slice(0, Math.max(0, end)).split(',').filter((name) => name !== '')
  const formats = READ_FORMATS.filter((format) => names.includes(format))
  if (end < 0 || formats.length < names.length) throw damaged()
  return { text: whole.slice(end + 1), formats }
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>, isPacked: boolean): Promise<Uint8Array> {
  if (!isPacked) return bytes
  if (typeof DecompressionStream !== 'function') {
    throw usageError('This browser cannot unfold the link', 'Open it in a newer one.')
  }
  try {
    return await through(bytes, new DecompressionStream('deflate-raw'), MOST_BYTES)
  } catch (error) {
    // Each browser, and Node, reports damaged data in its own words.
    throw error instanceof HermesError ? error : damaged()
  }
}

/** @param most most bytes of output: a small fragment can decompress to more than a browser can hold */
async function through(
  bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = (new Blob([bytes]).stream().pipeThrough(stream) as ReadableStream<Uint8Array>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > most) {
      await reader.cancel()
      throw usageError('The link holds more than this page shows', 'Ask for the text itself.')
    }
    pieces.push(value)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 4 === 1) throw damaged()
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function damaged(): HermesError {
  return usageError('The link is damaged', 'Ask for it anew: a part may be missing.')
}
