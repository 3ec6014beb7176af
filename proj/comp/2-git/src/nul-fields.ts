import { bytesOfName, isOddName, nameOfBytes } from '../../0-text/src/index.js'

/** The fields of output that git ends with NUL bytes; what is not UTF-8 in them becomes U+FFFD. */
export function nulFields(output: Uint8Array): string[] {
  const fields = Buffer.from(output).toString('utf8').split('\0')
  // The last one is empty, or was cut off.
  fields.pop()
  return fields
}

/** The same where every byte of a name counts: what is not UTF-8 stands as `nameOfBytes` has it. */
export function nulNames(output: Uint8Array): string[] {
  const fields = nulFields(output)
  if (!fields.some((field) => field.includes('\ufffd'))) return fields
  const names: string[] = []
  for (let at = 0, end = output.indexOf(0); end !== -1; at = end + 1, end = output.indexOf(0, at)) {
    names.push(nameOfBytes(output.subarray(at, end)))
  }
  return names
}

/** The same as input: each field with a NUL byte after it. */
export function nulEnded(fields: readonly string[]): string | Uint8Array {
  const text = fields.map((field) => `${field}\0`).join('')
  return isOddName(text) ? bytesOfName(text) : text
}
