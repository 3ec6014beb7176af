import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ExecutionResult, type HermesEvent, orNothing } from '../../contracts/src/index.js'
import { loadDiffRenderer, renderTerminal, type ReportStyle, wrapLines } from '../../reports/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import type { ApplyOptions } from './apply-options.js'
import { isTerminal, print, wantsColour } from './output.js'

export interface LivePrinter {
  event(event: HermesEvent): void
  end(result: ExecutionResult, interrupted: boolean): void
}

/** What takes the place of the line that says what runs. */
const ENDS: ReadonlySet<HermesEvent['type']> = new Set(['block-end', 'hook-end'])
const CLEAR_LINE = '\r\u001b[2K'

/** Prints what happens while it happens; at a terminal also which block is running. */
export async function livePrinter({ root, rootAliases, dryRun }: ApplyOptions): Promise<LivePrinter> {
  const style: ReportStyle = {
    colour: wantsColour(),
    roots: [...namesOf(root), ...rootAliases],
    dryRun,
  }
  const renderDiff = dryRun ? await loadDiffRenderer(style) : undefined
  const isLive = isTerminal('stdout') && process.env['TERM'] !== 'dumb'
  return {
    event(event) {
      if (event.type === 'end') return
      if (event.type === 'block-start') {
        if (isLive) print(`…  ${short(event.blockId, 8).padEnd(3)}  ${short(event.action, 40)}`)
        return
      }
      if (event.type === 'hook-start') {
        if (isLive) print(`…  hook  ${short(event.name, 40)}`)
        return
      }
      const diff = event.type === 'block-end' ? renderDiff?.(event.changes) ?? '' : ''
      print(`${isLive && ENDS.has(event.type) ? CLEAR_LINE : ''}${atWidth(`${renderTerminal(event, style)}${diff}`)}`)
    },
    end(result, interrupted) {
      print(atWidth(renderTerminal({ type: 'end', result }, { ...style, interrupted })))
    },
  }
}

function atWidth(text: string): string {
  return wrapLines(text, isTerminal('stdout') ? process.stdout.columns || 80 : undefined)
}

function short(text: string, length: number): string {
  return escapeControls(text.slice(0, length)).slice(0, length)
}

/** A root as given and without links: paths may be written either way. */
function namesOf(root: string): string[] {
  // The executor says what is wrong with it.
  return orNothing(() => [resolve(root), realpathSync.native(root)], [])
}
