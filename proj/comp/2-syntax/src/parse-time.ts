import { HermesError } from '../../0-contracts/src/index.js'

/** Longest time one text may take, in milliseconds: broken code can take far longer than code. */
const MOST_MS = 5000

/** What code takes at most where the machine is slow, in milliseconds, and for each character. */
const FAIR_MS = 50
const FAIR_MS_PER_CHAR = 0.004

const SPARE_MS = 20_000

/**
 * The time that texts may take together, such as the files of one call: each up to 5 seconds, until so many were slow
 * that no more is left for each than code takes.
 */
export class ParseTime {
  #spareMs: number
  readonly #mostMs: number

  /**
   * @param spareMs of all texts together, beyond what code takes, in milliseconds
   * @param mostMs of one text
   */
  constructor(spareMs = SPARE_MS, mostMs = MOST_MS) {
    this.#spareMs = spareMs
    this.#mostMs = mostMs
  }

  /** Measures what is done with one text; `done` takes it from the time of the others. */
  start(text: string): ParseClock {
    const fairMs = FAIR_MS + FAIR_MS_PER_CHAR * text.length
    const begin = performance.now()
    return new ParseClock(begin + Math.min(this.#mostMs, fairMs + this.#spareMs), () => {
      this.#spareMs = Math.max(0, this.#spareMs - Math.max(0, performance.now() - begin - fairMs))
    })
  }
}

export class ParseClock {
  readonly #end: number
  readonly done: () => void

  constructor(end: number, done: () => void) {
    this.#end = end
    this.done = done
  }

  readonly isLate = (): boolean => performance.now() > this.#end

  /** For loops over what may be many. @throws HermesError `TIMEOUT` */
  check(): void {
    if (this.isLate()) throw tooSlow()
  }
}

export function tooSlow(): HermesError {
  return new HermesError('TIMEOUT', 'Source takes too long to parse', {
    hint: 'It may not be in the language its name says. search_files finds text in any file.',
  })
}
