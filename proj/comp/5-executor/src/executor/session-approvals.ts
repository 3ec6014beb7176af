import {
  HermesError, isNodeError, type AccessAnswer, type ApprovalReason, type ApprovalReply, type ApprovalRequest,
  type Consent, type HermesOptions, type SandboxAccess,
} from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import { storeAllowedPattern, type AllowedList } from '../../../2-config/src/index.js'

/** Longest reason of a denial that a model is told, in UTF-16 units. */
const MOST_REASON = 1000

/** Asks for consent through the session's `approve`, and remembers what was allowed for longer than once. */
export class Approvals {
  readonly #ask: HermesOptions['approve']
  readonly #policy: HermesOptions['policy']
  readonly #allowed = new Set<string>()
  /** Entries of `command_allowlist` with what is opened to a command. */
  readonly #opened = new Set<string>()
  #warnings: string[] = []

  /** @param policy where `always` is stored: the user's policy file, which an option may replace or switch off */
  constructor(ask: HermesOptions['approve'], policy: HermesOptions['policy']) {
    this.#ask = ask
    this.#policy = policy
  }

  /**
   * Rejects with what `ask` throws: that of the run, or else that of the session.
   *
   * @throws HermesError `APPROVAL_DENIED` where the user says why not
   */
  async request(request: ApprovalRequest, ask: HermesOptions['approve'] = this.#ask): Promise<Consent> {
    const keys = reasonsOf(request)
      .map((reason) => ({ exact: exactKey(request, reason), kind: kindKey(request, reason) }))
    if (keys.every(({ exact, kind }) => this.#allowed.has(exact) || this.#allowed.has(kind))) return 'granted'
    if (!ask) return 'unavailable'
    const { answer, scope, reason } = replyOf(await ask(request))
    if (answer === 'session' || answer === 'always') {
      for (const { exact, kind } of keys) this.#allowed.add(scope === 'kind' ? kind : exact)
    }
    if (answer === 'always') await this.#store(request)
    // Whatever else a caller without types answers is no consent.
    if (answer === 'once' || answer === 'session' || answer === 'always') return 'granted'
    if (typeof reason === 'string' && reason.trim() !== '') throw denied(request.action, reason)
    return 'denied'
  }

  /** Whether an answer for longer than once has this entry. */
  hasOpened(entry: string): boolean {
    return this.#opened.has(entry)
  }

  /**
   * Asks whether a command that the sandbox stopped may run again with more. Only an answer that names one of the
   * offers is a yes: none that was meant for another question, or for all, opens anything.
   *
   * @param entryOf as of `WiderAccess`
   */
  async open(
    request: ApprovalRequest, entryOf: (access: SandboxAccess) => string, ask: HermesOptions['approve'] = this.#ask,
  ): Promise<AccessAnswer> {
    if (!ask) return undefined
    const { answer, access: named, reason } = replyOf(await ask(request))
    const access = request.offers?.find((one) => one === named)
    const isYes = answer === 'once' || answer === 'session' || answer === 'always'
    if (access === undefined || !isYes) {
      return { denied: typeof reason === 'string' && reason.trim() !== '' ? toldReason(reason) : undefined }
    }
    if (answer !== 'once') this.#opened.add(entryOf(access))
    if (answer === 'always') await this.#keep(entryOf(access), 'command_allowlist')
    return { access }
  }

  /** What the user should know of the answers since the last call, one line each. */
  takeWarnings(): readonly string[] {
    const warnings = this.#warnings
    this.#warnings = []
    return warnings
  }

  async #store(request: ApprovalRequest): Promise<void> {
    const hooks = reasonsOf(request).find(({ kind }) => kind === 'hooks')?.pattern
    const isDangerous = reasonsOf(request).some(({ kind }) => kind === 'dangerous')
    const entry = hooks ?? (isDangerous ? request.exact : undefined)
    if (entry !== undefined) await this.#keep(entry, hooks === undefined ? 'command_allowlist' : 'trusted_hooks')
  }

  async #keep(entry: string, list: AllowedList): Promise<void> {
    const name = `'${clip(escapeControls(entry), 200)}'`
    if (this.#policy === false || typeof this.#policy === 'object') {
      this.#warnings.push(`${name} is allowed for this session only: the policy is not read from a file`)
      return
    }
    try {
      await storeAllowedPattern(entry, this.#policy, list)
    } catch (error) {
      if (!(error instanceof HermesError || isNodeError(error))) throw error
      this.#warnings.push(`${name} is allowed for this session only: it could not be stored (${error.message})`)
    }
  }
}

function replyOf(answer: unknown): Partial<ApprovalReply> {
  return typeof answer === 'object' && answer !== null ? answer : { answer: answer as ApprovalReply['answer'] }
}

function reasonsOf({ kind = 'confirm', pattern, reason, reasons }: ApprovalRequest): readonly ApprovalReason[] {
  return reasons ?? [{ kind, text: reason, ...(pattern !== undefined && { pattern }) }]
}

/** What was shown: the same command for another reason is another question. */
function exactKey(request: ApprovalRequest, reason: ApprovalReason): string {
  const { action, command, exact } = request
  const what = exact === undefined ? [request.reason, command] : [exact]
  return JSON.stringify([reason.kind, reason.pattern, action, ...what])
}

/**
 * What an answer for a kind holds for: a verb allowed to delete is not thereby allowed to run unsandboxed.
 */
function kindKey({ action }: ApprovalRequest, { kind, pattern }: ApprovalReason): string {
  return JSON.stringify([kind, pattern, ...(kind === 'dangerous' || kind === 'hooks' ? [] : [action])])
}

function denied(action: string, reason: string): HermesError {
  return new HermesError('APPROVAL_DENIED', `${action}: the user said no: ${toldReason(reason)}`, {
    hint: 'Nothing was done. Do as the user says, or ask.',
  })
}

function toldReason(reason: string): string {
  return escapeControls(clip(reason.trim(), MOST_REASON))
}
