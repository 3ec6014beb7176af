import {
  HermesError, isNodeError, type ApprovalRequest, type Consent, type HermesOptions,
} from '../../../0-contracts/src/index.js'
import { storeAllowedPattern } from '../../../2-config/src/index.js'

/** Asks for consent through the session's `approve`, and remembers what was allowed for longer than once. */
export class Approvals {
  readonly #ask: HermesOptions['approve']
  readonly #policy: HermesOptions['policy']
  readonly #allowed = new Set<string>()
  #warnings: string[] = []

  /** @param policy where `always` is stored: the user's policy file, which an option may replace or switch off */
  constructor(ask: HermesOptions['approve'], policy: HermesOptions['policy']) {
    this.#ask = ask
    this.#policy = policy
  }

  /** Rejects with what `ask` throws: that of the run, or else that of the session. */
  async request(request: ApprovalRequest, ask: HermesOptions['approve'] = this.#ask): Promise<Consent> {
    const kind = kindOf(request)
    if (this.#allowed.has(kind)) return 'granted'
    if (!ask) return 'unavailable'
    const answer = await ask(request)
    if (answer === 'session' || answer === 'always') this.#allowed.add(kind)
    if (answer === 'always') await this.#store(request)
    // Whatever else a caller without types answers is no consent.
    return answer === 'once' || answer === 'session' || answer === 'always' ? 'granted' : 'denied'
  }

  /** What the user should know of the answers since the last call, one line each. */
  takeWarnings(): readonly string[] {
    const warnings = this.#warnings
    this.#warnings = []
    return warnings
  }

  async #store({ kind, pattern }: ApprovalRequest): Promise<void> {
    if ((kind !== 'dangerous' && kind !== 'hooks') || pattern === undefined) return
    if (this.#policy === false || typeof this.#policy === 'object') {
      this.#warnings.push(`'${pattern}' is allowed for this session only: the policy is not read from a file`)
      return
    }
    try {
      await storeAllowedPattern(pattern, this.#policy, kind === 'hooks' ? 'trusted_hooks' : 'command_allowlist')
    } catch (error) {
      if (!(error instanceof HermesError || isNodeError(error))) throw error
      this.#warnings.push(`'${pattern}' is allowed for this session only: it could not be stored (${error.message})`)
    }
  }
}

/**
 * What an answer for longer than once holds for: a verb allowed to delete is not thereby allowed to run unsandboxed.
 */
function kindOf({ action, kind = 'confirm', pattern }: ApprovalRequest): string {
  return (kind === 'dangerous' || kind === 'hooks') && pattern !== undefined ? `${kind} ${pattern}`
    : `${kind} ${action}`
}
