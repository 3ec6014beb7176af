import { stepForward as moveHead } from '../../../../3-transaction/src/index.js'
import { renderStep } from '../../../../7-output/src/index.js'
import type { Arguments } from '../../arguments.js'
import { historyCommand } from '../../history-command.js'

/** `hermes step-forward`: back towards the commit that `step-back` left; work that it stashed is put back. */
export function stepForward(args: Arguments): Promise<number> {
  return historyCommand(args, moveHead, renderStep)
}
