import type { HermesOptions } from '../../../0-contracts/src/index.js'
import { livePrinter as printerOf, type LivePrinter } from '../../../7-output/src/index.js'
import type { ApplyOptions } from '../setup/apply-options.js'
import { liveStatus } from './shown-status.js'
import { isTerminal, print, wantsColour } from './output.js'

/** Prints on standard output what happens while it happens; at a terminal also what is running. */
export async function livePrinter(options: ApplyOptions, signal?: AbortSignal): Promise<LivePrinter> {
  const isScreen = isTerminal('stdout')
  return printerOf({ ...options, signal }, {
    colour: wantsColour(), live: liveStatus(), print,
    columns: () => (isScreen ? process.stdout.columns || 80 : undefined),
  })
}

/** What a run tells its printer while something runs. */
export function tellingOf(printer: LivePrinter | undefined): Pick<HermesOptions, 'onOutput' | 'onProgress'> {
  return printer ? { onOutput: (output) => printer.output(output), onProgress: (work) => printer.progress(work) } : {}
}
