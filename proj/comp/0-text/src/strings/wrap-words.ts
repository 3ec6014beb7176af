import { lineRoom } from './break-lines.js'

/** Breaks text into lines of at most `width` columns, the further ones indented. */
export function wrapWords(text: string, indent: number, width: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent + lineRoom(line) + lineRoom(word) >= width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
