import { shownCommand, shownOwnFile, type Hook } from '../../../2-config/src/index.js'
import { HermesError, type ApprovalReason, type VerbContext } from '../../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'

/**
 * Most commands shown in the question, and the approximate total of their characters: so that a long one hides none.
 */
const MOST_SHOWN = 20
const MOST_CHARACTERS = 1800

/** Decides whether a project's hooks may run: a repository just cloned runs nothing without approval. */
export class Trust {
  /** Answers in this run, by trust entry. */
  readonly #answers = new Map<string, boolean>()
  /** Trust entries whose approval includes running without a sandbox. */
  readonly #unsandboxed = new Set<string>()

  constructor(
    private readonly hooks: readonly Hook[], private readonly context: Pick<VerbContext, 'approve' | 'sandbox'>,
    private readonly warnings: string[],
  ) {}

  /** The entry missing in `trusted_hooks`; `undefined` where none is. */
  needs({ project }: Hook): string | undefined {
    return project === undefined || project.isTrusted ? undefined : project.trust
  }

  /** Whether a hook may run; asks once for all hooks of a file. */
  async allows(hook: Hook): Promise<boolean> {
    const trust = this.needs(hook)
    if (trust === undefined) return true
    const known = this.#answers.get(trust)
    if (known !== undefined) return known
    const refusal = await this.#ask(hook, trust)
    this.#answers.set(trust, refusal === undefined)
    if (refusal !== undefined) this.warnings.push(refusal)
    return refusal === undefined
  }

  /**
   * The `approve` for commands of a hook: it does not ask again about running without a sandbox, if that was approved
   * with the file.
   */
  approving(hook: Hook): VerbContext['approve'] {
    const { approve } = this.context
    const trust = this.needs(hook)
    if (trust === undefined || !this.#unsandboxed.has(trust)) return approve
    return async (request) => (
      request.kind === 'unsandboxed' && request.reasons === undefined ? 'granted' : approve(request)
    )
  }

  /** Why hooks would run without a sandbox if the user agrees; `undefined` where they run in one, or not at all. */
  async #withoutSandbox(): Promise<ApprovalReason | undefined> {
    let why: ApprovalReason | undefined
    try {
      await this.context.sandbox.admit('hooks', '', async ({ reason }) => {
        why = { kind: 'unsandboxed', text: reason }
        return 'denied'
      })
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
    }
    return why
  }

  /** @returns why the hooks do not run; `undefined` where the user agreed */
  async #ask({ by }: Hook, trust: string): Promise<string | undefined> {
    const theirs = this.hooks.filter(({ project }) => project?.trust === trust)
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
      const consent = await this.context.approve({
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
      + `Add ${trust} to trusted_hooks in ${shownOwnFile()}, or say --yes`
  }
}

/** Cuts the longest lines so that all together have at most `most` characters. */
function fitting(lines: readonly string[], most: number): string[] {
  let [left, share] = [most, 0]
  for (const [index, size] of lines.map(({ length }) => length).sort((a, b) => a - b).entries()) {
    share = Math.floor(left / (lines.length - index))
    left -= Math.min(size, share)
  }
  return lines.map((line) => clip(line, share))
}
