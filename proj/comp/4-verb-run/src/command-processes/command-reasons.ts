import { HermesError, settingName, type ApprovalReason, type VerbContext } from '../../../0-contracts/src/index.js'
import type { CommandSource, Danger, findDangers as FindDangers } from '../../../1-command-risk/src/index.js'
import { shownOwnFile } from '../../../2-config/src/index.js'

const DETECTED = 'Potentially dangerous command detected: '

/** A program that reads what is typed into a terminal. */
export interface Reader {
  /** The program and its arguments. */
  words: readonly string[]
  /** Input that it has read already. */
  before: string
}

export interface JudgedText {
  source: CommandSource
  /** What the same shell has read already: an alias or half a line there can make a harmless text dangerous. */
  before?: string | undefined
  /**
   * The program that the text is typed to. The text is then judged as its input, and also as shell, which reads
   * whatever the program leaves.
   */
  reader?: Reader | undefined
}

/**
 * Why a command is dangerous, one reason for each kind of danger; none where commands cannot reach the machine, nor for
 * kinds on the user's allow-list.
 *
 * @returns `alone`: the dangers of the text itself; `together`: those that only what was read before makes of it
 */
export async function dangerReasons(
  { source, before = '', reader }: JudgedText, { policy, sandbox }: Pick<VerbContext, 'policy' | 'sandbox'>,
): Promise<{ alone: ApprovalReason[]; together: ApprovalReason[] }> {
  if (sandbox.isIsolated) return { alone: [], together: [] }
  // The parser is loaded for the first command only.
  const { DANGERS, findDangers } = await import('../../../1-command-risk/src/index.js')
  // A shell does not run what it cannot parse.
  const alone = reader === undefined ? findDangers(source)
    : findDangers(source).filter(({ name }) => name !== 'unreadable command')
  const known = new Set(before === '' ? []
    : [...alone, ...findDangers({ kind: 'shell', text: before })].map(({ name }) => name))
  const withBefore = source.kind !== 'shell' ? [] : reader ? inputDangers(source.text, reader, findDangers)
    : before === '' ? []
    : findDangers({ ...source, text: before + source.text }).filter(({ name }) => !known.has(name))
  const names = new Set(alone.map(({ name }) => name))
  const further = withBefore.filter(({ name }) => !names.has(name))
  const [ofItself, ofTogether] = [alone, further].map((dangers) => dangers
    .filter(({ name }) => !policy.commandAllowlist.includes(name))
    .map(({ name, command }): ApprovalReason => ({
      kind: 'dangerous', pattern: name, text: `${DETECTED}${name} (it ${DANGERS[name]}): ${command}`,
    })))
  return { alone: ofItself ?? [], together: ofTogether ?? [] }
}

/**
 * Dangers in a text typed to a program, including those that earlier lines cause, such as an import under another name.
 */
function inputDangers(text: string, { words, before }: Reader, find: typeof FindDangers): Danger[] {
  const [path = ''] = words
  // Also without arguments: with a script among them, the input of an interpreter would not count as code.
  const read = (stdin: string) => [[path], words].flatMap((call) => find({ kind: 'program', words: call, stdin }))
  const known = new Set(before === '' ? [] : read(before).map(({ name }) => name))
  const dangers = [...read(text), ...read(before + text).filter(({ name }) => !known.has(name))]
  return [...new Map(dangers.map((danger) => [danger.name, danger])).values()]
}

/** Kinds of reasons, most serious first. */
const MOST_SERIOUS_FIRST = ['unsandboxed', 'dangerous', 'policy', 'hooks', 'confirm']

export function heaviest(reasons: readonly ApprovalReason[]): ApprovalReason | undefined {
  return MOST_SERIOUS_FIRST.map((kind) => reasons.find((reason) => reason.kind === kind)).find((reason) => reason)
}

/** All reasons in one line. */
export function joinedReasons(reasons: readonly ApprovalReason[]): string {
  return reasons.map(({ text }, index) => (index > 0 ? text.replace(DETECTED, '') : text)).join('; ')
}

/** The error for a command that the user denied, or that nobody could be asked about. */
export function refused(
  verb: string, reasons: readonly ApprovalReason[], consent: 'denied' | 'unavailable',
): HermesError {
  const dangers = reasons.filter(({ kind }) => kind === 'dangerous')
  const what = joinedReasons(dangers.length > 0 ? dangers : reasons).replace(DETECTED, '')
  if (consent === 'denied') {
    return new HermesError('APPROVAL_DENIED', `${verb}: the user does not want this to run: ${what}`, {
      hint: 'Nothing was done. Do it another way, or say why it is needed and ask.',
    })
  }
  const [first] = dangers
  const allowed = first?.pattern === undefined ? ' or to change the policy.'
    : ` or to add '${first.pattern}' to command_allowlist in ${shownOwnFile()}.`
  return new HermesError('APPROVAL_DENIED', `${verb} needs an approval: ${what}`, {
    hint: 'There is nobody to ask. Do without it, for example with the file verbs; or ask the user to run it, to '
      + `approve it (${settingName('consent')}),${allowed}`,
  })
}
