import { HermesError } from '../../../0-contracts/src/index.js'
import { formatNodeError } from '../store/index.js'

/** A failure worded as Node's own are (seed 002 `formatNodeError`), with what to do instead. */
export function pathError(
  code: 'ENOENT' | 'EEXIST' | 'EISDIR' | 'ENOTDIR' | 'ENOTEMPTY' | 'EACCES', verb: string, path: string, hint: string,
): HermesError {
  return new HermesError(code, formatNodeError({ code }, path, verb), { hint })
}
