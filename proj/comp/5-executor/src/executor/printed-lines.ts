import { clip } from '../../../0-text/src/index.js'

/** As `PrintedLines` promises: what is cut gets a mark. */
const MOST_LINES = 10
const MOST_LENGTH = 499

/** Of what a command has printed, the lines for who listens. */
export function lastLines(text: string): string[] {
  const lines = text.trimEnd().split('\n').slice(-MOST_LINES)
  // Of a line that was written over with carriage returns the last state counts.
  return lines.map((line) => clip(line.replace(/\r+$/, '').replace(/^[^]*\r/, ''), MOST_LENGTH))
}
