import type { HermesOptions } from '../../../0-contracts/src/index.js'
import { livePrinter as printerOf, type LivePrinter } from '../../../7-output/src/index.js'
import { maskTokenShapes } from '../../../0-text/src/index.js'
import type { ApplyOptions } from '../setup/apply-options.js'
import { isUnattended } from './consent-options.js'
import { liveStatus } from './shown-status.js'
import { asTyped, isTerminal, print, wantsColour } from './output.js'

/** Prints on standard output what happens while it happens; at a terminal also what is running. */
export async function livePrinter(options: ApplyOptions, signal?: AbortSignal): Promise<LivePrinter> {
  const isScreen = isTerminal('stdout')
  return printerOf({ ...options, signal }, {
    colour: wantsColour(), live: liveStatus(),
    // The log of CI is kept, and read by many: what has the form of a secret is masked in it, as in reports.
    print: (text) => print(isUnattended() ? maskTokenShapes(text) : text),
    columns: () => (isScreen ? process.stdout.columns || 80 : undefined), typed: asTyped,
  })
}

/** What a run tells its printer while something runs. */
export function tellingOf(printer: LivePrinter | undefined): Pick<HermesOptions, 'onOutput' | 'onProgress'> {
  return printer ? { onOutput: (output) => printer.output(output), onProgress: (work) => printer.progress(work) } : {}
}
