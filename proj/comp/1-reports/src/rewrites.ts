import type { ExecutionResult, Rewrite } from '../../0-contracts/src/index.js'
import { oneLine } from './safe-text.js'

/** Who changed an answer before it ran, and by how many lines: `rewritten by tidy 1.2 (clean): +3 −1`. */
export function rewriteLine({ extension, version, command, diff }: Rewrite): string {
  const who = [oneLine(extension, 80), ...(version === undefined ? [] : [oneLine(version, 40)])].join(' ')
  return `rewritten by ${who} (${oneLine(command, 80)}): ${sizeOf(diff)}`
}

/** The same of all of them for a model, which takes what it wrote for what ran. */
export function rewriteFeedback({ rewrites = [] }: ExecutionResult): string[] {
  if (rewrites.length === 0) return []
  return [`What ran is not quite what you wrote: ${rewrites.map(rewriteLine).join('; ')}. `
    + 'Line numbers are those of the text that ran.']
}

/** Of hunks without file names, so that each line with a sign is a changed one. */
function sizeOf(diff: string): string {
  if (diff === '') return 'too different for a diff'
  const lines = diff.split('\n')
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length
  return `+${count('+')} −${count('-')}${diff.endsWith('…') ? ' and more' : ''}`
}
