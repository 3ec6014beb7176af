import { fileURLToPath, pathToFileURL } from 'node:url'
import { unlessThrown } from '../../0-contracts/src/index.js'

/** The URI of a file, as other programs are told it. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href
}

/** The absolute path of a `file:` URI, percent-encoded in whatever way; `undefined` for one that names no file here. */
export function pathOfUri(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  const url = new URL(uri)
  // An encoded slash or NUL is no part of a name.
  if (url.protocol !== 'file:' || /%(?:2f|5c|00)/i.test(url.pathname)) return undefined
  if (url.host !== '' && url.host !== 'localhost') return undefined
  url.host = ''
  return unlessThrown(URIError, () => fileURLToPath(url), undefined)
}
