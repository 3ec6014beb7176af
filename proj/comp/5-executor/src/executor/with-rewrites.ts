import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'

/** The same result, with what extensions made of the answer before. */
export function withRewrites<Result extends ExecutionResult>(
  result: Result, { rewrites, warnings }: PreparedAnswer,
): Result {
  if (rewrites.length > 0) result.rewrites = rewrites
  if (warnings.length > 0) result.warnings = [...(result.warnings ?? []), ...warnings]
  return result
}
