import { resolve } from 'node:path'
import type {
  Given, HermesEvent, HermesOptions, ModelResponse, ReadFormat,
} from '../../../0-contracts/src/index.js'
import { keptOptions } from '../../../2-config/src/index.js'
import { canonicalDirectory } from '../../../2-files/src/index.js'
import { parseAnswer, unreadFormats } from '../../../1-reading/src/index.js'
import { loadDiffRenderer, renderTerminal, wrapLines, type ReportStyle } from '../../../1-reports/src/index.js'
import { Hermes, type ExecutorOptions } from '../../../5-executor/src/index.js'

export interface OfferRequest {
  answer: string | ModelResponse
  /** Options of the run. */
  options: ExecutorOptions & Given<HermesOptions, 'root' | 'rootAliases'>
  colour: boolean
  columns: number
}

/** Blocks of an answer in disabled formats. */
export interface Offer {
  formats: readonly ReadFormat[]
  /** All formats, with those read before. */
  all: readonly ReadFormat[]
  /** What the blocks would do, as shown by a dry run; ends with a line break. */
  shown: string
}

/** Finds blocks of an answer in disabled formats; `undefined` where none of them would run. Changes nothing. */
export async function offeredFormats({ answer, options, colour, columns }: OfferRequest): Promise<Offer | undefined> {
  const { editFormats: now = [] } = { ...options, ...await keptOptions(options) }
  const outcome = parseAnswer(answer, { editFormats: now, startsInThink: options.startsInThink ?? false })
  const formats = unreadFormats(outcome).filter((format) => !now.includes(format))
  if (formats.length === 0) return undefined
  const known = new Set(outcome.blocks.map(placeOf))
  const style: ReportStyle = {
    colour, dryRun: true, roots: [resolve(options.root), canonicalDirectory(options.root), ...options.rootAliases],
  }
  const show = await loadDiffRenderer(style)
  const rows: string[] = []
  let wouldRun = false
  const all = [...now, ...formats]
  const dry = new Hermes({
    ...options, editFormats: all, dryRun: true, rehearse: true, checkMs: 0, approve: () => 'once',
    onEvent(event: HermesEvent) {
      if (event.type !== 'block-end' || known.has(placeOf(event.result))) return
      wouldRun ||= event.result.success
      rows.push(renderTerminal(event, style), show(event.changes))
    },
  })
  try {
    await dry.execute(answer)
  } finally {
    await dry[Symbol.asyncDispose]()
  }
  return wouldRun ? { formats, all, shown: wrapLines(rows.join(''), columns) } : undefined
}

function placeOf({ startLine, endLine }: { startLine: number; endLine: number }): string {
  return `${startLine}-${endLine}`
}
