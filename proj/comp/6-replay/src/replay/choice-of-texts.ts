import { caughtLater, HermesError } from '../../../0-contracts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { chosenTexts, isUndone, type TextChoice, type Transcript } from '../../../2-transcripts/src/index.js'
import type { ReplayedRewrite } from './replay-model.js'
import type { Replayed } from './replay-transcript.js'
import { toldRewrite } from './told-rewrites.js'
import { unrunReport } from './unrun-report.js'

/** Most names of extensions that a hint lists. */
const MOST_NAMES = 10

/** Chooses the texts to run, where `--original` or `--without` ask for others than those that ran. */
export class ChoiceOfTexts {
  readonly #failures = new WeakMap<Transcript, HermesError>()
  readonly #rewrites = new WeakMap<Transcript, readonly ReplayedRewrite[]>()
  readonly #wanted: Set<string>
  /** Names of the extensions on record. */
  readonly #seen = new Set<string>()

  constructor(private readonly choice: TextChoice) {
    this.#wanted = new Set(choice.without)
  }

  /** The transcript to run in place of the given one; if the record lacks what that needs, `failure` says so. */
  async choose(transcript: Transcript): Promise<Transcript> {
    const rewrites = this.#rewritesIn(transcript)
    const chosen = await this.#chosen(transcript)
    this.#rewrites.set(chosen, rewrites)
    return chosen
  }

  /** The report of a transcript that cannot run as chosen. */
  failure(chosen: Transcript): Replayed | undefined {
    const failure = this.#failures.get(chosen)
    return failure && unrunReport(chosen, failure)
  }

  /** Adds to a report which extensions changed the answers of its transcript. */
  tell(chosen: Transcript, { report }: Replayed): void {
    const rewrites = [...this.#rewrites.get(chosen) ?? [], ...report.rewrites ?? []]
    if (rewrites.length > 0) report.rewrites = rewrites
  }

  /**
   * @throws HermesError `INVALID_OPTION` for the name of an extension that changed no answer: probably a typing error
   */
  requireKnown(): void {
    const [unknown] = this.#wanted
    if (unknown === undefined) return
    const names = [...this.#seen]
    throw usageError(`No answer on record was changed by ${unknown}`, names.length === 0
      ? 'None was changed by an extension: replay them without --without.'
      : `They were changed by ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ', …' : ''}.`)
  }

  async #chosen(transcript: Transcript): Promise<Transcript> {
    return await caughtLater(HermesError, () => chosenTexts(transcript, this.choice), (error) => {
      this.#failures.set(transcript, error)
      return transcript
    })
  }

  #rewritesIn({ turns }: Transcript): ReplayedRewrite[] {
    return turns.filter((turn) => turn.role === 'assistant').flatMap(({ rewritten }, index) => (
      (rewritten?.by ?? []).map((rewrite): ReplayedRewrite => {
        this.#seen.add(rewrite.extension)
        this.#wanted.delete(rewrite.extension)
        this.#wanted.delete(`${rewrite.extension}:${rewrite.command}`)
        return { ...toldRewrite(rewrite, index + 1), ...(isUndone(rewrite, this.choice) && { undone: true }) }
      })
    ))
  }
}
