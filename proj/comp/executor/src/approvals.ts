import type { ApprovalRequest, Consent, HermesOptions } from '../../contracts/src/index.js'

/** Asks for consent through the session's `approve`, and remembers what was allowed for longer than once. */
export class Approvals {
  readonly #ask: HermesOptions['approve']
  readonly #allowed = new Set<string>()

  constructor(ask: HermesOptions['approve']) {
    this.#ask = ask
  }

  /** Rejects with what the session's `approve` throws. */
  async request(request: ApprovalRequest): Promise<Consent> {
    if (this.#allowed.has(request.action)) return 'granted'
    if (!this.#ask) return 'unavailable'
    const answer = await this.#ask(request)
    if (answer === 'session' || answer === 'always') this.#allowed.add(request.action)
    // Whatever else a caller without types answers is no consent.
    return answer === 'once' || answer === 'session' || answer === 'always' ? 'granted' : 'denied'
  }
}
