import { examine, renderFindings } from '../../../../7-setup/src/index.js'
import type { Arguments } from '../../arguments.js'
import { existingRoot } from '../../setup/existing-root.js'
import { EXIT } from '../../exit-codes.js'
import { interruptible } from '../../io/interrupt.js'
import { print, printJson, wantsColour } from '../../io/output.js'
import { asTyped } from '../../io/typed-name.js'

/** `hermes doctor`: what runs need, and what to do where something is missing. */
export async function doctor(args: Arguments): Promise<number> {
  const interrupt = interruptible()
  const queue = args.value('queue')
  const findings = await interrupt.during(() => examine({
    root: existingRoot(args), signal: interrupt.signal, ...(queue !== undefined && { queue }),
  }))
  const bad = findings.filter(({ status }) => status === 'warning' || status === 'problem')
  if (args.has('json')) printJson({ success: bad.length === 0, findings })
  else print(asTyped(renderFindings(findings, { colour: wantsColour() })))
  return interrupt.exitCode ?? (bad.length === 0 ? EXIT.ok : EXIT.failed)
}
