import { stepBack as moveBack, stepForward as moveForward } from '../../../../3-transaction/src/index.js'
import { renderStep } from '../../../../7-output/src/index.js'
import type { Arguments } from '../../arguments.js'
import { historyCommand } from '../../history-command.js'

/** `hermes step-back`: to the commit before, with work stashed. */
export function stepBack(args: Arguments): Promise<number> {
  return historyCommand(args, moveBack, renderStep)
}

/** `hermes step-forward`: back towards the commit that `step-back` left; work that it stashed is put back. */
export function stepForward(args: Arguments): Promise<number> {
  return historyCommand(args, moveForward, renderStep)
}
