import { shownCommand, type Hook } from '../../../2-config/src/index.js'
import { HermesError, type ApprovalReason, type VerbContext } from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'

/**
 * The commands shown in a question, and about how many characters of all of them: so that none pushes the others out.
 */
const MOST_SHOWN = 20
const MOST_CHARACTERS = 1800

/** Whether the hooks of a project may run: a repository that was just cloned runs nothing unasked. */
export class Trust {
  readonly #hooks: readonly Hook[]
  readonly #context: Pick<VerbContext, 'approve' | 'sandbox'>
  readonly #warnings: string[]
  /** Answers of this run. */
  readonly #answers = new Map<string, boolean>()
  /** Of these the answer holds for running without a sandbox, too. */
  readonly #unsandboxed = new Set<string>()

  constructor(hooks: readonly Hook[], context: Pick<VerbContext, 'approve' | 'sandbox'>, warnings: string[]) {
    this.#hooks = hooks
    this.#context = context
    this.#warnings = warnings
  }

  /** The entry of `trusted_hooks` that is missing. */
  needs({ project }: Hook): string | undefined {
    return project === undefined || project.isTrusted ? undefined : project.trust
  }

  /** Asked once for all hooks of a file. */
  async allows(hook: Hook): Promise<boolean> {
    const trust = this.needs(hook)
    if (trust === undefined) return true
    const known = this.#answers.get(trust)
    if (known !== undefined) return known
    const refusal = await this.#ask(hook, trust)
    this.#answers.set(trust, refusal === undefined)
    if (refusal !== undefined) this.#warnings.push(refusal)
    return refusal === undefined
  }

  /** Who is asked while the hook runs: not again about what was agreed to for all of its file. */
  approving(hook: Hook): VerbContext['approve'] {
    const { approve } = this.#context
    const trust = this.needs(hook)
    if (trust === undefined || !this.#unsandboxed.has(trust)) return approve
    return async (request) => (
      request.kind === 'unsandboxed' && request.reasons === undefined ? 'granted' : approve(request)
    )
  }

  /** Why commands would run without a sandbox where the user agrees; `undefined`: they run in one, or not at all. */
  async #withoutSandbox(): Promise<ApprovalReason | undefined> {
    let why: ApprovalReason | undefined
    try {
      await this.#context.sandbox.admit('hooks', '', async ({ reason }) => {
        why = { kind: 'unsandboxed', text: reason }
        return 'denied'
      })
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
    }
    return why
  }

  /** @returns why not */
  async #ask({ by }: Hook, trust: string): Promise<string | undefined> {
    const theirs = this.#hooks.filter(({ project }) => project?.trust === trust)
    const file = by.replace(/:\d+$/, '')
    const lines = theirs.map(({ on, name, run }) => escapeControls(`${on} ${name}: ${shownCommand(run)}`))
    const shown = lines.slice(0, MOST_SHOWN)
    const listed = fitting(shown, MOST_CHARACTERS)
    const isCut = listed.some((line, index) => line !== shown[index])
    const rest = [
      ...(theirs.length > MOST_SHOWN ? [`and ${theirs.length - MOST_SHOWN} more`] : []), ...(isCut ? ['… is cut'] : []),
    ]
    const more = rest.length > 0 ? [`(${rest.join('; ')}: read ${file} before you agree)`] : []
    const notRun = `The hooks of ${file} were not run: `
    const wish = `${file} wants to run commands of the project around this run`
    const bare = await this.#withoutSandbox()
    const reasons: ApprovalReason[] = [{ kind: 'hooks', pattern: trust, text: wish }, ...(bare ? [bare] : [])]
    try {
      const consent = await this.#context.approve({
        action: 'hooks', kind: bare ? 'unsandboxed' : 'hooks', pattern: trust,
        command: [...listed, ...more].join('\n'), reason: reasons.map(({ text }) => text).join('; '),
        ...(bare && { reasons, sandbox: 'none' as const }),
      })
      if (consent === 'granted') {
        if (bare) this.#unsandboxed.add(trust)
        return undefined
      }
      if (consent === 'denied') return `${notRun}you did not want them to`
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      return `${notRun}${error.message}`
    }
    return `${notRun}they are commands of the project, and nobody could be asked. `
      + `Add ${trust} to trusted_hooks in ~/.hermes/config.yaml, or say --yes`
  }
}

/** All of the lines, the longest cut so that all together are not longer than that. */
function fitting(lines: readonly string[], most: number): string[] {
  let [left, share] = [most, 0]
  for (const [index, size] of lines.map(({ length }) => length).sort((a, b) => a - b).entries()) {
    share = Math.floor(left / (lines.length - index))
    left -= Math.min(size, share)
  }
  return lines.map((line) => clip(line, share))
}
