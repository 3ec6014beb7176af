import type { AnyVerb, HermesError } from '../../../0-contracts/src/index.js'
import { VerbsHere } from '../../../5-executor/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { interruptible } from '../io/interrupt.js'
import { printError, say } from '../io/output.js'

/** All verbs of this machine; what is wrong with those of the user's config is told on standard error. */
export async function allVerbs(root: string): Promise<AnyVerb[]> {
  return whileOpen(root, async (here) => {
    const { verbs, problems } = await here.all()
    problems.forEach(tellProblem)
    return verbs
  })
}

/** The names of the verbs that the user's config brings, and what looks one up. */
export async function whileOpen<Result>(root: string, task: (here: VerbsHere) => Promise<Result>): Promise<Result> {
  const interrupt = interruptible()
  return interrupt.during(async () => {
    const here = await VerbsHere.open(root, interrupt.signal)
    try {
      here.warnings.forEach(say)
      return await task(here)
    } finally {
      await here[Symbol.asyncDispose]()
    }
  })
}

/** Tells what is wrong with a verb or a tool of the user's. */
export function tellProblem({ message, hint }: HermesError): void {
  printError(`hermes: ${escapeControls(message)}\n${hint === undefined ? '' : `  ${escapeControls(hint, true)}\n`}`)
}
