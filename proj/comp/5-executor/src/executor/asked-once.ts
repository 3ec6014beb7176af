import type { Consent, VerbContext } from '../../../0-contracts/src/index.js'

/**
 * Asks the same question once, and gives its answer again: git is started several times in a run, and each time its
 * filters and hooks would be asked about.
 */
export function askedOnce(approve: VerbContext['approve']): VerbContext['approve'] {
  const answers = new Map<string, Promise<Consent>>()
  return async (request) => {
    const question = JSON.stringify(request)
    const answer = answers.get(question) ?? approve(request)
    answers.set(question, answer)
    return answer
  }
}
