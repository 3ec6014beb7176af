import { HermesError } from '../../0-contracts/src/index.js'

/** Time limit for one text, in milliseconds: broken code can take far longer than correct code. */
const MOST_MS = 5000

/** Time that correct code takes at most on a slow machine: in milliseconds, plus so much for each character. */
const FAIR_MS = 50
const FAIR_MS_PER_CHAR = 0.004

const SPARE_MS = 20_000

/**
 * The time budget shared by several texts, such as the files of one call: each may take up to 5 seconds, until slow
 * texts have used up the shared time and each gets only what correct code needs.
 */
export class ParseTime {
  /**
   * @param spareMs shared budget beyond what correct code takes, in milliseconds
   * @param mostMs limit for one text
   */
  constructor(private spareMs = SPARE_MS, private readonly mostMs = MOST_MS) {}

  /** Starts the clock for one text; `done` charges the shared budget. */
  start(text: string): ParseClock {
    const fairMs = FAIR_MS + FAIR_MS_PER_CHAR * text.length
    const begin = performance.now()
    return new ParseClock(begin + Math.min(this.mostMs, fairMs + this.spareMs), () => {
      this.spareMs = Math.max(0, this.spareMs - Math.max(0, performance.now() - begin - fairMs))
    })
  }
}

export class ParseClock {
  constructor(private readonly end: number, readonly done: () => void) {}

  get leftMs(): number {
    return Math.max(0, this.end - performance.now())
  }

  readonly isLate = (): boolean => performance.now() > this.end

  /**
   * Call it in long loops.
   *
   * @throws HermesError `TIMEOUT`
   */
  check(): void {
    if (this.isLate()) throw tooSlow()
  }
}

export function tooSlow(): HermesError {
  return new HermesError('TIMEOUT', 'Source takes too long to parse', {
    hint: 'It may not be in the language its name says. search_files finds text in any file.',
  })
}
