import { examine, renderFindings } from '../../../../7-setup/src/index.js'
import type { Arguments } from '../../arguments.js'
import { existingRoot } from '../../setup/existing-root.js'
import { interruptible } from '../../io/interrupt.js'
import { asTyped, EXIT, printFound, wantsColour } from '../../io/output.js'

/** `hermes doctor`: what runs need, and what to do where something is missing. */
export async function doctor(args: Arguments): Promise<number> {
  const interrupt = interruptible()
  const queue = args.value('queue')
  const findings = await interrupt.during(() => examine({
    root: existingRoot(args), signal: interrupt.signal, ...(queue !== undefined && { queue }),
  }))
  const bad = findings.filter(({ status }) => status === 'warning' || status === 'problem')
  const code = printFound(args, { success: bad.length === 0, findings }, () => (
    asTyped(renderFindings(findings, { colour: wantsColour() }))), bad.length === 0 ? EXIT.ok : EXIT.failed)
  return interrupt.exitCode ?? code
}
