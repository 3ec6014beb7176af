import { caughtLater, HermesError, isRecord } from '../../../../0-contracts/src/index.js'
import { createMasker } from '../../../../0-text/src/index.js'
import { readBareEnvelope } from '../../../../1-reading/src/index.js'
import { subjectOf } from '../../../../1-reports/src/index.js'
import { ownSecrets } from '../../../../2-config/src/index.js'
import { callTitle } from '../../../../2-terminal/src/index.js'
import { VerbExecutor, type VerbResult } from '../../../../5-executor/src/index.js'
import { applyOptions, inFlagTerms } from '../../setup/apply-options.js'
import type { Arguments } from '../../arguments.js'
import { consentOptions } from '../../io/consent-options.js'
import { interruptible } from '../../io/interrupt.js'
import { showPrinted, whileShown } from '../../io/shown-status.js'
import { EXIT, printJson } from '../../io/output.js'
import { readInput } from '../../io/read-input.js'

/** `hermes exec`: runs one envelope and prints its VerbResult. */
export async function exec(args: Arguments): Promise<number> {
  const interrupt = interruptible()
  const { signal } = interrupt
  const [file] = args.positionals
  const consent = consentOptions({ yes: args.has('yes'), usesStdin: file === undefined || file === '-', signal })
  const options = { ...applyOptions(args), ...consent, signal }
  const executor = inFlagTerms(() => new VerbExecutor({ ...options, onOutput: ({ lines }) => showPrinted(lines) }))
  const text = await readInput('exec', file)
  const result = await interrupt.during(async () => {
    try {
      return await whileShown(() => titleOf(text), true, async () => run(executor, text))
    } finally {
      await executor[Symbol.asyncDispose]()
    }
  })
  printJson(result)
  return interrupt.exitCode ?? (result.succeeded ? EXIT.ok : EXIT.failed)
}

/** The verb and arguments of the envelope; an invalid one is reported when it runs. */
function titleOf(text: string): string {
  const envelope = readBareEnvelope(text)
  if (!envelope.ok) return 'exec'
  const params: unknown = createMasker({ ...process.env, ...ownSecrets() }, { shapes: true }).value(envelope.arguments)
  return callTitle(envelope.verb, isRecord(params) ? subjectOf(params) : '')
}

async function run(executor: VerbExecutor, text: string): Promise<VerbResult> {
  return await caughtLater(HermesError, () => executor.run(text), (error) => {
    const { message, code, hint } = error
    return { succeeded: false, errorMessage: message, errorCode: code, hint }
  })
}
