import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  orNothing, type ExecutionResult, type Given, type HermesEvent, type HermesOptions, type ParseOutcome,
  type PrintedLines, type WorkProgress,
} from '../../../0-contracts/src/index.js'
import {
  columnsFor, loadDiffRenderer, renderTerminal, wrapLines, type ReportStyle,
} from '../../../1-reports/src/index.js'
import { callTitle, type LiveStatus } from '../../../2-terminal/src/index.js'

export interface LivePrinter {
  /** Called with the blocks, where these are known beforehand, so that columns fit from the start. */
  expect(outcome: Pick<ParseOutcome, 'blocks' | 'errors' | 'skipped'>): void
  event(event: HermesEvent): void
  /** Called when a running command has printed something. */
  output(output: PrintedLines): void
  /** Called with the progress of a long call. */
  progress(work: WorkProgress): void
  /** @param fences of the answer, for the message where nothing was found */
  end(result: ExecutionResult, interrupted: boolean, fences?: ReportStyle['fences']): void
}

/** Data of the run that is known beforehand. */
export interface PrintedRun extends Given<HermesOptions, 'root' | 'rootAliases' | 'dryRun'> {
  /** Once it is aborted, says that it stops while something still runs. */
  signal?: AbortSignal | undefined
}

/** Where to print. */
export interface Screen {
  colour: boolean
  /** Shows what is running; it is hidden before anything is printed. */
  live?: LiveStatus | undefined
  /** `undefined`: lines are not wrapped. */
  columns: () => number | undefined
  print: (text: string) => void
  /** Rewrites commands of hermes to the form in which the user types them. */
  typed?: (text: string) => string
}

const HOOK = 'hook'

/** Prints events as they happen, and at a terminal what is running. */
export async function livePrinter(
  { root, rootAliases, dryRun, signal }: PrintedRun, { colour, live, columns, print, typed = (text) => text }: Screen,
): Promise<LivePrinter> {
  // The root as given and with links resolved: paths may use either. The executor will report the error.
  const names = orNothing(() => [resolve(root), realpathSync.native(root)], [])
  const style: ReportStyle = { colour, roots: [...names, ...rootAliases], dryRun }
  const renderDiff = dryRun ? await loadDiffRenderer(style) : undefined
  const widen = (blocks: Iterable<{ id: string; action?: string }>): void => {
    style.columns = columnsFor(blocks, style.columns)
  }
  if (live) {
    live.count = ''
    live.stopping = () => signal?.aborted === true
  }
  let total: number | undefined
  let begun = 0
  const write = (text: string): void => {
    live?.hide()
    print(text)
  }
  return {
    expect({ blocks, errors, skipped }) {
      total = blocks.length
      widen([...blocks, ...[...errors, ...skipped].map(({ blockId = '' }) => ({ id: blockId }))])
    },
    event(event) {
      if (event.type === 'end') return
      if (event.type === 'block-start') {
        widen([{ id: event.blockId, action: event.action }])
        begun++
        if (live) live.count = countOf(begun, total)
        live?.start(event.blockId, callTitle(event.action, event.subject ?? ''))
        return
      }
      if (event.type === 'hook-start') {
        live?.start(HOOK, callTitle(`hook ${event.name}`, ''))
        return
      }
      const diff = event.type === 'block-end' ? renderDiff?.(event.changes) ?? '' : ''
      const text = wrapLines(`${renderTerminal(withTypedHint(event, typed), style)}${diff}`, columns())
      if (event.type === 'block-end') live?.end(event.result.blockId)
      else if (event.type === 'hook-end') live?.end(HOOK)
      write(text)
    },
    output: ({ blockId, lines }) => live?.calls.printed(blockId, lines),
    progress: (work) => live?.calls.progressed(work),
    end(result, interrupted, fences) {
      live?.stop()
      const text = renderTerminal({ type: 'end', result }, { ...style, interrupted, fences })
      write(wrapLines(typed(text), columns()))
    },
  }
}

/** Only the first line of a hint names commands; below it are lines of files. */
function withTypedHint(event: HermesEvent, typed: (text: string) => string): HermesEvent {
  if (event.type !== 'block-end' || event.result.hint === undefined) return event
  return { ...event, result: { ...event.result, hint: event.result.hint.replace(/^[^\n]*/, typed) } }
}

/** `3/10`; while a text is still arriving the total is unknown. */
function countOf(begun: number, total = 0): string {
  return total > 1 && begun <= total ? `${begun}/${total}` : begun > 1 ? `block ${begun}` : ''
}
