import type { Consent, VerbContext } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'

/**
 * Asks the same question once, and gives its answer again: git is started several times in a run, and each time its
 * filters and hooks would be asked about.
 */
export function askedOnce(approve: VerbContext['approve']): VerbContext['approve'] {
  const answers = new Map<string, Promise<Consent>>()
  return async (request) => {
    return valueAt(answers, JSON.stringify(request), () => approve(request))
  }
}
