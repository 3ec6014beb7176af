/** A call as a SHAM block: values of several lines as heredocs, the others quoted. Contract section 1. */
export function shamBlock(id: string, action: string, params: Record<string, unknown>): string {
  return [
    `#!SHAM [@three-char-SHA-256: ${id}]`,
    `action = ${quoted(action)}`,
    ...Object.entries(params).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (!text.includes('\n')) return `${name} = ${quoted(text)}`
      return `${name} = <<'EOT_SHAM_${id}'\n${text}\nEOT_SHAM_${id}`
    }),
    `#!END_SHAM_${id}`,
  ].join('\n')
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
}
