import { type ApprovedPath, ifPossible, type VerbContext } from '../../../0-contracts/src/index.js'
import { readText } from '../../../2-files/src/index.js'

/** @returns `undefined` for a file that is not text, or vanished */
export function readIfText(path: ApprovedPath, shown: string, context: VerbContext): string | undefined {
  return ifPossible(() => readText(context.files, path, context.limits.maxFileBytes, shown), undefined)
}
