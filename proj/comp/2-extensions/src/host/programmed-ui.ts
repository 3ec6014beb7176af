import * as v from 'valibot'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { UiMethod } from '../kit/index.js'
import { firstProblem, RESULTS } from './message-schemas.js'
import type { ExtensionUi } from './ui-port.js'

/** By method, a list of results that is used up in order. */
export type ProgrammedAnswers = Readonly<Partial<Record<UiMethod, readonly unknown[]>>>

const METHODS = Object.keys(RESULTS) as UiMethod[]

/**
 * A UI with predefined answers, e.g. `{"ui/showConfirm": [{"confirmed": true}]}`. Messages are acknowledged, and
 * windows can be closed.
 *
 * @param otherwise used where no answer is left
 */
export function programmedUi(answers: ProgrammedAnswers, otherwise: ExtensionUi): ExtensionUi {
  const used = new Map<string, number>()
  return {
    async request(method, params, context) {
      const place = used.get(method) ?? 0
      const given = answers[method] ?? []
      if (place < given.length) {
        used.set(method, place + 1)
        // Validated when the file was read.
        return given[place] as never
      }
      return otherwise.request(method, params, context)
    },
    close: async () => otherwise.close?.(),
  }
}

/**
 * Validates a file of answers.
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function checkAnswers(value: unknown, name: string): ProgrammedAnswers {
  const lists = v.safeParse(v.record(v.string(), v.array(v.unknown())), value)
  if (!lists.success) throw wrong(name, 'it is no mapping of methods to lists of results')
  for (const [method, results] of Object.entries(lists.output)) {
    if (!isUiMethod(method)) throw wrong(name, `${method} is no request to the user; those are ${METHODS.join(', ')}`)
    for (const [place, result] of results.entries()) {
      const checked = v.safeParse(RESULTS[method], result)
      if (!checked.success) throw wrong(name, `result ${place + 1} of ${method}: ${firstProblem(checked.issues)}`)
    }
  }
  return lists.output as ProgrammedAnswers
}

function isUiMethod(method: string): method is UiMethod {
  return Object.hasOwn(RESULTS, method)
}

function wrong(name: string, problem: string): HermesError {
  return new HermesError('INVALID_OPTION', `Answers in ${name}: ${problem}`, {
    hint: 'Write, e.g., {"ui/showConfirm": [{"confirmed": true}]}; '
      + 'hermes help extensions has the results of all requests.',
  })
}
