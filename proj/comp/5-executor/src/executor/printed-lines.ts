import type { HermesOptions, VerbContext } from '../../../0-contracts/src/index.js'
import { clip, type Masker } from '../../../0-text/src/index.js'

/** As `PrintedLines` promises: what is cut gets a mark. */
const MOST_LINES = 10
const MOST_LENGTH = 499

/** Makes lines for who listens of what a command of a block prints; `undefined` where nobody does. */
export function printingOf(
  blockId: string, masker: Masker, onOutput: HermesOptions['onOutput'],
): VerbContext['printing'] {
  return onOutput && ((end) => onOutput({ blockId, lines: lastLines(masker.text(end)) }))
}

function lastLines(text: string): string[] {
  const lines = text.trimEnd().split('\n').slice(-MOST_LINES)
  // Of a line that was written over with carriage returns the last state counts.
  return lines.map((line) => clip(line.replace(/\r+$/, '').replace(/^[^]*\r/, ''), MOST_LENGTH))
}
