import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { filePieces } from './file-pieces.js'
import { type LineMatch, LineSearch } from './line-search.js'
import { checkSignal } from '../../../2-files/src/index.js'

/**
 * The lines of a file that hold `pattern`, at most `most` of them; none of a binary file, which is one with a NUL
 * byte in what was read of it.
 *
 * @throws HermesError `CANCELLED`; Node's errors
 */
export async function searchFile(
  file: ApprovedPath, pattern: string, most: number, { files, signal }: Pick<VerbContext, 'files' | 'signal'>,
): Promise<LineMatch[]> {
  const matches: LineMatch[] = []
  const search = new LineSearch(pattern, (match) => {
    if (matches.length < most) matches.push(match)
  })
  for await (const piece of filePieces(file, files)) {
    checkSignal(signal)
    if (piece.includes(0)) return []
    search.push(piece)
    if (matches.length >= most) return matches
  }
  search.end()
  return matches
}
