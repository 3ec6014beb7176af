import type { VerbContext } from '../../0-contracts/src/index.js'
import { type FileParser, ParserHere } from './parse-text.js'
import { ParserInThreads, threadScript } from './parse-threads.js'

/** Bytes of source from which on threads take less time than they take to start. */
const ENOUGH_BYTES = 1_500_000

/** What parses these files in the least time: threads where there is much to do, and the build that has them. */
export function parserFor(files: readonly { size: number }[], { signal }: Pick<VerbContext, 'signal'>): FileParser {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const script = bytes < ENOUGH_BYTES || signal.aborted ? undefined : threadScript()
  return script === undefined ? new ParserHere() : new ParserInThreads(script, signal)
}
