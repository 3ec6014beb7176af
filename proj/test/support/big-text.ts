/**
 * Large files by recipe. The first line is `KIND MEGABYTES`; each further line changes a line of it: `N: text` replaces
 * line N, `N+ text` puts a line after it, `N-` takes it away.
 */
export function bigText(recipe: string): string {
  const [head = '', ...changes] = recipe.split('\n')
  const [kind = '', megabytes = ''] = head.split(' ')
  const lineOf = KINDS[kind]
  if (!lineOf) throw new Error(`No recipe ${kind}; there are: ${Object.keys(KINDS).join(', ')}`)
  const lines: string[] = []
  for (let length = 0, number = 1; length < Number(megabytes) * 1_000_000; number++) {
    const line = lineOf(number)
    lines.push(line)
    length += line.length + 1
  }
  // From the last one on, so that the numbers stay those of the recipe.
  for (const change of changes.toReversed()) {
    const [, digits = '', sign = '', text = ''] = /^(\d+)([:+-]) ?(.*)$/.exec(change) ?? []
    const index = Number(digits)
    if (sign === ':') lines[index - 1] = text
    else lines.splice(sign === '+' ? index : index - 1, sign === '+' ? 0 : 1, ...(sign === '+' ? [text] : []))
  }
  return `${lines.join('\n')}\n`
}

const KINDS: Record<string, (number: number) => string> = {
  numbered: (number) => `line ${number} of a long file`,
  code: (number) => (number % 4 === 0 ? '  }' : `  const value${number} = compute(${number % 4}, "text")`),
  same: () => 'the same line',
}
