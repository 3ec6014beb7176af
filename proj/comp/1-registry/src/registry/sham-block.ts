/** A call as a SHAM block: values of several lines as heredocs, the others quoted. Contract section 1. */
export function shamBlock(id: string, action: string, params: Record<string, unknown>): string {
  return [
    `#!SHAM [@three-char-SHA-256: ${id}]`,
    `action = ${quoted(action)}`,
    ...Object.entries(params).map(([name, value]) => {
      const text = shamText(value)
      if (!text.includes('\n')) return `${name} = ${quoted(text)}`
      return `${name} = <<'EOT_SHAM_${id}'\n${text}\nEOT_SHAM_${id}`
    }),
    `#!END_SHAM_${id}`,
  ].join('\n')
}

/** A value as SHAM writes it: a list of plain strings one a line, anything else that is no string as JSON text. */
export function shamText(value: unknown): string {
  if (typeof value === 'string') return value
  const isPlain = Array.isArray(value) && value.length > 0
    && value.every((item) => typeof item === 'string' && /^[^\r\n[]*\S[^\r\n]*$/.test(item))
  return isPlain ? value.join('\n') : JSON.stringify(value)
}

/** A tab or another control character as it is would make the line no assignment. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
