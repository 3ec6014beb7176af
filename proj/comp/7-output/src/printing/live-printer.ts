import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  orNothing, type ExecutionResult, type HermesEvent, type HermesOptions, type ParseOutcome, type PrintedLines,
  type WorkProgress,
} from '../../../0-contracts/src/index.js'
import {
  columnsFor, loadDiffRenderer, renderTerminal, wrapLines, type ReportStyle,
} from '../../../1-reports/src/index.js'
import { callTitle, type LiveStatus } from '../../../2-terminal/src/index.js'

export interface LivePrinter {
  /** What blocks there are, where that is known beforehand: columns fit them from the first on. */
  expect(outcome: Pick<ParseOutcome, 'blocks' | 'errors' | 'skipped'>): void
  event(event: HermesEvent): void
  /** A command that runs has printed something. */
  output(output: PrintedLines): void
  /** A call works long before it can answer. */
  progress(work: WorkProgress): void
  /** @param fences of the answer, for the message where nothing was found */
  end(result: ExecutionResult, interrupted: boolean, fences?: ReportStyle['fences']): void
}

/** What is known of the run beforehand. */
export interface PrintedRun extends Required<Pick<HermesOptions, 'root' | 'rootAliases' | 'dryRun'>> {
  /** Told to stop, it says so while something still runs. */
  signal?: AbortSignal | undefined
}

/** Where it is printed. */
export interface Screen {
  colour: boolean
  /** Where what runs is shown; nothing is printed without hiding it. */
  live?: LiveStatus | undefined
  /** `undefined`: lines are not broken. */
  columns: () => number | undefined
  print: (text: string) => void
}

const HOOK = 'hook'

/** Prints what happens while it happens; at a terminal also what is running. */
export async function livePrinter(
  { root, rootAliases, dryRun, signal }: PrintedRun, { colour, live, columns, print }: Screen,
): Promise<LivePrinter> {
  const style: ReportStyle = {
    colour,
    roots: [...namesOf(root), ...rootAliases],
    dryRun,
  }
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
      const text = wrapLines(`${renderTerminal(event, style)}${diff}`, columns())
      if (event.type === 'block-end') live?.end(event.result.blockId)
      else if (event.type === 'hook-end') live?.end(HOOK)
      write(text)
    },
    output: ({ blockId, lines }) => live?.calls.printed(blockId, lines),
    progress: (work) => live?.calls.progressed(work),
    end(result, interrupted, fences) {
      live?.stop()
      write(wrapLines(renderTerminal({ type: 'end', result }, { ...style, interrupted, fences }), columns()))
    },
  }
}

/** `3/10`; of a text that still comes nobody knows how many blocks it has. */
function countOf(begun: number, total = 0): string {
  return total > 1 && begun <= total ? `${begun}/${total}` : begun > 1 ? `block ${begun}` : ''
}

/** A root as given and without links: paths may be written either way. */
function namesOf(root: string): string[] {
  // The executor says what is wrong with it.
  return orNothing(() => [resolve(root), realpathSync.native(root)], [])
}
