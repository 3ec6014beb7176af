import type { Prompt, PromptSize } from '../../../1-registry/src/index.js'
import { createPalette } from '../../../1-reports/src/index.js'

/** How long a prompt and each of its parts is. @param estimate how tokens were counted */
export function renderPromptSizes(
  { size, sections, verbs }: Prompt, { colour, estimate }: { colour: boolean; estimate: string },
): string {
  const { strong, faint } = createPalette(colour)
  const width = Math.max(...[...sections, ...verbs].map(({ name }) => name.length)) + 4
  const line = ({ name, tokens, characters }: PromptSize, indent: string): string => (
    `${(indent + name).padEnd(width)}${number(tokens).padStart(8)}${number(characters).padStart(12)}`
  )
  return [
    strong(`${''.padEnd(width)}${'tokens'.padStart(8)}${'characters'.padStart(12)}`),
    ...sections.flatMap((section) =>
      [line(section, ''), ...(section.name === 'verbs' ? verbs.map((verb) => line(verb, '  ')) : [])]),
    strong(line({ ...size, name: 'all' }, '')),
    '',
    faint(`Tokens are ${estimate}.`),
    '',
  ].join('\n')
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
