import { livePrinter as printerOf, type LivePrinter } from '../../../7-output/src/index.js'
import type { ApplyOptions } from '../setup/apply-options.js'
import { isTerminal, print, wantsColour } from './output.js'

/** Prints on standard output what happens while it happens; at a terminal also which block is running. */
export async function livePrinter(options: ApplyOptions): Promise<LivePrinter> {
  const isScreen = isTerminal('stdout')
  return printerOf(options, {
    colour: wantsColour(), isLive: isScreen && process.env['TERM'] !== 'dumb', print,
    columns: () => (isScreen ? process.stdout.columns || 80 : undefined),
  })
}
