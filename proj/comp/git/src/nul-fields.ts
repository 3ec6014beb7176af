/** The fields of output that git ends with NUL bytes; what is not UTF-8 in them becomes U+FFFD. */
export function nulFields(output: Uint8Array): string[] {
  const fields = Buffer.from(output).toString('utf8').split('\0')
  // The last one is empty, or was cut off.
  fields.pop()
  return fields
}
