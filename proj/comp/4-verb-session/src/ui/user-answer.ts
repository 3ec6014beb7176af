import { HermesError, type UserInterface } from '../../../0-contracts/src/index.js'

/**
 * Puts a question to the user of a run.
 *
 * @param instead what the model can do where nobody answers
 * @throws HermesError `NO_USER`, also for whatever the program that answers throws itself; `CANCELLED`
 */
export async function askTheUser(
  verb: string, ui: UserInterface | undefined, instead: string, signal: AbortSignal,
  ask: (user: UserInterface) => Promise<unknown>,
): Promise<unknown> {
  if (!ui) throw new HermesError('NO_USER', `${verb}: there is no user to ask`, { hint: instead })
  try {
    return await ask(ui)
  } catch (error) {
    if (error instanceof HermesError) throw error
    if (signal.aborted) {
      throw new HermesError('CANCELLED', `${verb}: the run was cancelled`, { hint: 'Run it again.', cause: error })
    }
    const problem = error instanceof Error ? error.message
      : typeof error === 'string' ? error : `it threw ${typeof error}`
    throw new HermesError('NO_USER', `${verb}: the program that answers for the user failed: ${problem}`, {
      hint: instead, cause: error,
    })
  }
}
