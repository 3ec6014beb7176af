import type { VerbContext } from '../../../0-contracts/src/index.js'
import { isOddName, shownName } from '../../../0-text/src/index.js'

const NOTE = '\\x and two digits are a byte of a name that is not UTF-8; files are read by the name as shown.'

/** Shows paths in results: bytes that are not UTF-8 as `\\xff`, and the caller is told once what that means. */
export function pathShower({ advise }: Pick<VerbContext, 'advise'>): (path: string) => string {
  let isTold = false
  return (path) => {
    if (!isOddName(path)) return path
    if (!isTold) advise?.(NOTE)
    isTold = true
    return shownName(path)
  }
}
