import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  orNothing, type ExecutionResult, type HermesEvent, type HermesOptions, type ParseOutcome,
} from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import {
  columnsFor, loadDiffRenderer, renderTerminal, wrapLines, type ReportStyle,
} from '../../../1-reports/src/index.js'

export interface LivePrinter {
  /** What blocks there are, where that is known beforehand: columns fit them from the first on. */
  expect(outcome: Pick<ParseOutcome, 'blocks' | 'errors' | 'skipped'>): void
  event(event: HermesEvent): void
  /** @param fences of the answer, for the message where nothing was found */
  end(result: ExecutionResult, interrupted: boolean, fences?: ReportStyle['fences']): void
}

/** What is known of the run beforehand. */
export type PrintedRun = Required<Pick<HermesOptions, 'root' | 'rootAliases' | 'dryRun'>>

/** Where it is printed. */
export interface Screen {
  colour: boolean
  /** A line may be printed over. */
  isLive: boolean
  /** `undefined`: lines are not broken. */
  columns: () => number | undefined
  print: (text: string) => void
}

/** What takes the place of the line that says what runs. */
const ENDS: ReadonlySet<HermesEvent['type']> = new Set(['block-end', 'hook-end'])
const CLEAR_LINE = '\r\u001b[2K'

/** Prints what happens while it happens; at a terminal also which block is running. */
export async function livePrinter(
  { root, rootAliases, dryRun }: PrintedRun, { colour, isLive, columns, print }: Screen,
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
  return {
    expect({ blocks, errors, skipped }) {
      widen([...blocks, ...[...errors, ...skipped].map(({ blockId = '' }) => ({ id: blockId }))])
    },
    event(event) {
      if (event.type === 'end') return
      if (event.type === 'block-start') {
        widen([{ id: event.blockId, action: event.action }])
        if (isLive) print(`…  ${short(event.blockId, 16).padEnd(style.columns?.id ?? 3)}  ${short(event.action, 40)}`)
        return
      }
      if (event.type === 'hook-start') {
        if (isLive) print(`…  hook  ${short(event.name, 40)}`)
        return
      }
      const diff = event.type === 'block-end' ? renderDiff?.(event.changes) ?? '' : ''
      const text = wrapLines(`${renderTerminal(event, style)}${diff}`, columns())
      print(`${isLive && ENDS.has(event.type) ? CLEAR_LINE : ''}${text}`)
    },
    end(result, interrupted, fences) {
      print(wrapLines(renderTerminal({ type: 'end', result }, { ...style, interrupted, fences }), columns()))
    },
  }
}

function short(text: string, length: number): string {
  return escapeControls(text.slice(0, length)).slice(0, length)
}

/** A root as given and without links: paths may be written either way. */
function namesOf(root: string): string[] {
  // The executor says what is wrong with it.
  return orNothing(() => [resolve(root), realpathSync.native(root)], [])
}
