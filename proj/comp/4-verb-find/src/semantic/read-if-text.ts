import { type ApprovedPath, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { readText } from '../../../2-files/src/index.js'

/** @returns `undefined` for a file that is not text, or vanished */
export function readIfText(path: ApprovedPath, shown: string, context: VerbContext): string | undefined {
  try {
    return readText(context.files, path, context.limits.maxFileBytes, shown)
  } catch (error) {
    if (error instanceof HermesError || isNodeError(error)) return undefined
    throw error
  }
}
