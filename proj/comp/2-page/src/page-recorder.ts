import type { ExecutionResult, HermesEvent } from '../../0-contracts/src/index.js'
import type { Masker } from '../../0-text/src/index.js'
import type { PageItem, PageModel } from './run-page-model.js'
import { resultItem } from './page-items.js'
import { pageModel } from './page-model.js'

export interface RecorderOptions {
  /** Where the run works: absolute. */
  root: string
  /** Further names of it, e.g. without links, or aliases. */
  roots?: readonly string[]
  /** What the page is not to tell. */
  masker: Masker
}

/** Listens to a run and keeps of each block what its card shows: differences, and not the texts they are of. */
export class PageRecorder {
  readonly #cards = new Map<number, PageItem>()

  constructor(private readonly options: RecorderOptions) {}

  event(event: HermesEvent): void {
    if (event.type !== 'block-end') return
    const { masker } = this.options
    this.#cards.set(
      event.result.seq, resultItem(masker.value(event.result), masker.value(event.changes), this.#names()),
    )
  }

  /** The page of the run, once it has ended. @param answer its text, where it is known */
  page(result: ExecutionResult, answer: string | undefined, endedAt = new Date()): PageModel {
    const { root, masker } = this.options
    return pageModel({
      result: masker.value(result), cards: this.#cards, root, roots: this.#names(), endedAt,
      ...(answer !== undefined && { answer: maskedLines(answer, masker) }),
    })
  }

  #names(): readonly string[] {
    return [this.options.root, ...this.options.roots ?? []]
  }
}

/** Blocks are known by their lines: a secret of several lines must leave as many. */
function maskedLines(text: string, masker: Masker): string {
  const whole = masker.text(text)
  const count = (lines: string): number => lines.split('\n').length
  return whole === text || count(whole) === count(text) ? whole
    : text.split('\n').map((line) => masker.text(line)).join('\n')
}
