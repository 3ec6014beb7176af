import { stepBack as step } from '../../../../git-history/src/index.js'
import { renderStep } from '../../../../printing/src/index.js'
import type { Arguments } from '../../arguments.js'
import { historyCommand } from '../../history-command.js'

/** `hermes step-back`: to the commit before, with work stashed. */
export function stepBack(args: Arguments): Promise<number> {
  return historyCommand(args, step, renderStep)
}
