/** A SHAM block; values of several lines as heredocs. @param number makes its id */
export function shamBlock(number, action, values) {
  const id = number.toString(36).padStart(4, '0')
  const lines = Object.entries(values).map(([key, value]) => (
    value.includes('\n') ? `${key} = <<'EOT_SHAM_${id}'\n${value}\nEOT_SHAM_${id}` : `${key} = ${JSON.stringify(value)}`
  ))
  return [`#!SHAM [@three-char-SHA-256: ${id}]`, `action = "${action}"`, ...lines, `#!END_SHAM_${id}`, ''].join('\n')
}
