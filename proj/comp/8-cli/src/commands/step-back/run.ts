import { stepBack as moveHead } from '../../../../3-transaction/src/index.js'
import { renderStep } from '../../../../7-output/src/index.js'
import type { Arguments } from '../../arguments.js'
import { historyCommand } from '../../history-command.js'

/** `hermes step-back`: to the commit before, with work stashed. */
export function stepBack(args: Arguments): Promise<number> {
  return historyCommand(args, moveHead, renderStep)
}
