import {
  HermesError, isNodeError, type AccessAnswer, type ApprovalQuestion, type ApprovalReason, type ApprovalReply,
  type ApprovalRequest,
  type Consent, type HermesOptions, type SandboxAccess,
} from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import { storeAllowedPattern, type AllowedList } from '../../../2-config/src/index.js'

/** Longest reason for a denial that is passed on to the model, in UTF-16 units. */
const MOST_REASON = 1000

/** Asks for consent through the session's `approve`, and remembers answers that hold longer than once. */
export class Approvals {
  readonly #allowed = new Set<string>()
  /** Entries of `command_allowlist` that give commands wider access. */
  readonly #opened = new Set<string>()
  readonly #warnings: string[] = []

  /** @param policy where `always` is stored: the user's policy file, which this option may replace or switch off */
  constructor(private readonly ask: HermesOptions['approve'], private readonly policy: HermesOptions['policy']) {}

  /**
   * Asks for one approval, by the run's `ask` or else the session's. Rejects with what `ask` throws.
   *
   * @throws HermesError `APPROVAL_DENIED` where the user gives a reason for the denial
   */
  async request(question: ApprovalQuestion, ask: HermesOptions['approve'] = this.ask): Promise<Consent> {
    const request = asWhole(question)
    const keys = request.reasons
      .map((reason) => ({ exact: exactKey(request, reason), kind: kindKey(request, reason) }))
    if (keys.every(({ exact, kind }) => this.#allowed.has(exact) || this.#allowed.has(kind))) return 'granted'
    if (!ask) return 'unavailable'
    const { answer, scope, reason } = replyOf(await ask(request))
    if (answer === 'session' || answer === 'always') {
      for (const { exact, kind } of keys) this.#allowed.add(scope === 'kind' ? kind : exact)
    }
    if (answer === 'always') await this.#store(request)
    // Any other answer of a caller without types is a denial.
    if (answer === 'once' || answer === 'session' || answer === 'always') return 'granted'
    const why = toldReason(reason)
    if (why === undefined) return 'denied'
    throw new HermesError('APPROVAL_DENIED', `${request.action}: the user said no: ${why}`, {
      hint: 'Nothing was done. Do as the user says, or ask.',
    })
  }

  /** Whether an earlier `session` or `always` answer added this entry. */
  hasOpened(entry: string): boolean {
    return this.#opened.has(entry)
  }

  /**
   * Asks whether a command that the sandbox stopped may run again with wider access. Only an answer that names one of
   * the offers is consent: a general yes opens nothing.
   *
   * @param entryOf as in `WiderAccess`
   */
  async open(
    question: ApprovalQuestion, entryOf: (access: SandboxAccess) => string, ask: HermesOptions['approve'] = this.ask,
  ): Promise<AccessAnswer> {
    if (!ask) return undefined
    const request = asWhole(question)
    const { answer, access: named, reason } = replyOf(await ask(request))
    const access = request.offers?.find((offer) => offer === named)
    const isYes = answer === 'once' || answer === 'session' || answer === 'always'
    if (access === undefined || !isYes) return { denied: toldReason(reason) }
    if (answer !== 'once') this.#opened.add(entryOf(access))
    if (answer === 'always') await this.#keep(entryOf(access), 'command_allowlist')
    return { access }
  }

  /** Warnings from answers since the last call, one line each. */
  takeWarnings(): readonly string[] {
    return this.#warnings.splice(0)
  }

  async #store(request: ApprovalRequest): Promise<void> {
    const hooks = request.reasons.find(({ kind }) => kind === 'hooks')?.pattern
    const isDangerous = request.reasons.some(({ kind }) => kind === 'dangerous')
    const entry = hooks ?? (isDangerous ? request.exact : undefined)
    if (entry !== undefined) await this.#keep(entry, hooks === undefined ? 'command_allowlist' : 'trusted_hooks')
  }

  async #keep(entry: string, list: AllowedList): Promise<void> {
    const name = `'${clip(escapeControls(entry), 200)}'`
    if (this.policy === false || typeof this.policy === 'object') {
      this.#warnings.push(`${name} is allowed for this session only: the policy is not read from a file`)
      return
    }
    try {
      await storeAllowedPattern(entry, this.policy, list)
    } catch (error) {
      if (!(error instanceof HermesError || isNodeError(error))) throw error
      this.#warnings.push(`${name} is allowed for this session only: it could not be stored (${error.message})`)
    }
  }
}

function replyOf(answer: unknown): Partial<ApprovalReply> {
  return typeof answer === 'object' && answer !== null ? answer : { answer: answer as ApprovalReply['answer'] }
}

/** The question with the fields filled in that verbs may omit. */
function asWhole(question: ApprovalQuestion): ApprovalRequest {
  const { kind = 'confirm', pattern, reason, reasons } = question
  return {
    ...question, kind, reasons: reasons ?? [{ kind, text: reason, ...(pattern !== undefined && { pattern }) }],
  }
}

/** Key of an answer for exactly this question: the same command for another reason is another question. */
function exactKey(request: ApprovalRequest, reason: ApprovalReason): string {
  const { action, command, exact } = request
  const what = exact === undefined ? [request.reason, command] : [exact]
  return JSON.stringify([reason.kind, reason.pattern, action, ...what])
}

/** Key of an answer for a kind of question: a verb that may delete may not therefore run without a sandbox. */
function kindKey({ action }: ApprovalRequest, { kind, pattern }: ApprovalReason): string {
  return JSON.stringify([kind, pattern, ...(kind === 'dangerous' || kind === 'hooks' ? [] : [action])])
}

/** As the model is told it; `undefined` where the user gave none. */
function toldReason(reason: unknown): string | undefined {
  if (typeof reason !== 'string' || reason.trim() === '') return undefined
  return escapeControls(clip(reason.trim(), MOST_REASON))
}
