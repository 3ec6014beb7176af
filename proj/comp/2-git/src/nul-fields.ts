/** The fields of output that git ends with NUL bytes; what is not UTF-8 in them becomes U+FFFD. */
export function nulFields(output: Uint8Array): string[] {
  const fields = Buffer.from(output).toString('utf8').split('\0')
  // The last one is empty, or was cut off.
  fields.pop()
  return fields
}

/** The same as input: each field with a NUL byte after it. */
export function nulEnded(fields: readonly string[]): string {
  return fields.map((field) => `${field}\0`).join('')
}
