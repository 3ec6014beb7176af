import { addDialects, chosenFile } from '../../../2-config/src/index.js'
import { caughtLater, HermesError, type ModelResponse, type ReadFormat } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { offeredFormats, type OfferedFormats } from '../../../7-console/src/index.js'
import type { TerminalUi } from '../../../2-terminal/src/index.js'
import type { ApplyOptions } from '../setup/apply-options.js'
import { printError, wantsColour } from './output.js'

/**
 * Shows the user what an answer holds in formats that are off, and asks whether it runs.
 *
 * @returns `undefined` where it stays as it is
 * @throws HermesError `CANCELLED`
 */
export async function offerFormats(
  user: TerminalUi, answer: string | ModelResponse, options: ApplyOptions, signal: AbortSignal,
): Promise<OfferedFormats | undefined> {
  const columns = process.stderr.columns || 80
  const offer = await offeredFormats({ answer, options, colour: wantsColour(), columns })
  const said = offer && await user.offer(offer.formats, offer.shown, signal)
  if (offer === undefined || said === 'leave') return undefined
  if (said === 'keep') printError(`${escapeControls(await keep(options.root, offer.formats))}\n`)
  return { formats: offer.formats, all: offer.all, isKept: said === 'keep' }
}

/** @returns what became of it */
async function keep(root: string, formats: readonly ReadFormat[]): Promise<string> {
  const file = chosenFile(root, true)
  return await caughtLater(HermesError, async () => {
    await addDialects(file, formats)
    return `Kept in ${file.path}. Commands in it will be asked about.`
  }, ({ message }) => `Runs now, but is not kept: ${message}`)
}
