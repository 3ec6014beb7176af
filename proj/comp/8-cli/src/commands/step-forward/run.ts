import { stepForward as step } from '../../../../3-transaction/src/index.js'
import { renderStep } from '../../../../7-output/src/index.js'
import type { Arguments } from '../../arguments.js'
import { historyCommand } from '../../history-command.js'

/** `hermes step-forward`: towards the commit that was left, with work put back. */
export function stepForward(args: Arguments): Promise<number> {
  return historyCommand(args, step, renderStep)
}
