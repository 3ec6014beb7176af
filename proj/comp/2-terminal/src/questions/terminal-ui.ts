import {
  HermesError, type ApprovalAnswer, type ApprovalQuestion, type ApprovalReply, type ConfirmationRequest,
  type UserInterface, type UserQuestion,
} from '../../../0-contracts/src/index.js'
import { foldLines, modelWords, MOST_MODEL_WORDS } from '../../../0-text/src/index.js'
import { approvalLines, plural } from '../../../1-reports/src/index.js'
import { shownOwnFile } from '../../../2-config/src/index.js'
import { openingHelp, openingLines, openingOf, openingQuestion } from './opening-question.js'
import { DEFAULT_COLUMNS, lookUp, prompt, type Prompt, type Terminal } from './terminal-prompt.js'

/** What the question below the last page takes, in rows. */
const QUESTION_ROWS = 4
/** A page has at least so many, however low the terminal is. */
const LEAST_ROWS = 8
const REPLIES: Readonly<Record<string, 'more' | 'deny'>> = {
  m: 'more', more: 'more', '': 'more', d: 'deny', deny: 'deny',
}

const KIND: ApprovalReply = { answer: 'session', scope: 'kind' }
const APPROVALS: Readonly<Record<string, ApprovalAnswer | ApprovalReply | 'nothing'>> = {
  o: 'once', once: 'once', s: 'session', session: 'session', k: KIND, kind: KIND, a: 'always', always: 'always',
  d: 'deny', deny: 'deny', '': 'nothing',
}
const OFFERS: Readonly<Record<string, OfferAnswer>> = {
  o: 'once', once: 'once', k: 'keep', keep: 'keep', l: 'leave', leave: 'leave', '': 'leave',
}
const YES_NO: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false, '': false }

/** What to do with blocks in formats that are not enabled. */
export type OfferAnswer = 'once' | 'keep' | 'leave'

/** The user at a terminal. A model's text is marked line by line so that it cannot imitate hermes. */
export class TerminalUi implements UserInterface {
  /** @param lasts how long an answer for the session is valid, in words */
  constructor(private readonly terminal: Terminal, private readonly lasts = 'this run') {}

  async ask({ question, options, defaultOption }: UserQuestion, signal: AbortSignal): Promise<string> {
    // Not where an option is itself a number that could also mean a position.
    const numbered = options !== undefined
      && !options.some(option => /^\d+$/.test(option.trim()) && Number(option) <= options.length)
    const list = (options ?? []).map((option, index) => (
      this.#quote(`${numbered ? `${index + 1}) ` : '- '}${option}`)
    )).join('')
    const preset = defaultOption === undefined ? '' : `Enter alone answers:\n${this.#quote(defaultOption)}`
    const how = options === undefined ? 'Your answer' : numbered ? 'Its number or text' : 'One of them, as written'
    const answer = await prompt(this.terminal, {
      text: `The model asks you:\n${this.#quote(question)}${list}${preset}`,
      question: `${how}: `,
      read: reply => answerOf(reply, options, numbered, defaultOption),
      help: helpFor(options, numbered),
      ...(options === undefined && { takesPaste: true as const }),
    }, signal)
    if (answer !== undefined) return answer
    throw new HermesError('NO_USER', 'ask_user: the user gave no answer', {
      hint: 'Decide yourself, and say what you assumed; or ask in your answer.',
    })
  }

  async confirm({ description, destructive }: ConfirmationRequest, signal: AbortSignal): Promise<boolean> {
    const warning = destructive ? 'It says that this cannot be taken back.\n' : ''
    const answer = await prompt(this.terminal, {
      text: `The model asks you to confirm:\n${this.#quote(description)}${warning}`,
      question: 'Agree? [y/N] ',
      read: reply => lookUp(YES_NO, reply),
      help: 'Type y or n.',
    }, signal)
    return answer ?? false
  }

  /**
   * Asks whether a message that has used up its turns gets as many again.
   *
   * @throws HermesError `CANCELLED`
   */
  async goOn(turns: number, signal: AbortSignal): Promise<boolean> {
    const answer = await prompt(this.terminal, {
      text: '', question: `${plural(turns, 'turn')} used; go on? [Y/n] `,
      // Enter alone continues; Esc, which the terminal only delivers with Enter, does not.
      read: reply => reply === '' ? true : reply.startsWith('\u001b') ? false : lookUp(YES_NO, reply),
      help: 'Type y or n.',
    }, signal)
    return answer ?? false
  }

  /**
   * For the option `approve`.
   *
   * @throws HermesError `APPROVAL_DENIED` when the user answered neither yes nor no
   */
  async approve(request: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer | ApprovalReply> {
    const { action, offers = [] } = request
    const isEscalation = request.kind === 'escalation'
    const shown = await paged(
      this.terminal, isEscalation ? this.#escalation(request) : this.#question(request), signal,
    )
    const asked: Omit<Prompt<ApprovalAnswer | ApprovalReply | 'nothing'>, 'text'> = isEscalation
      ? { question: openingQuestion(offers), read: reply => openingOf(reply, offers), help: openingHelp(offers) }
      : {
        question: 'Allow? [o]nce [s]ession [k]ind [a]lways [d]eny (Enter: deny) ',
        read: reply => lookUp(APPROVALS, reply),
        help: 'Type o, s, k, a or d.',
      }
    const answer = shown === 'deny' ? shown
      : shown && await prompt(this.terminal, { text: shown.last, ...asked }, signal)
    if (answer === 'deny') return this.#denial(signal)
    if (answer !== undefined) return answer === 'nothing' ? 'deny' : answer
    throw new HermesError(
      'APPROVAL_DENIED', `${action}: the user was asked for an approval and gave no clear answer`,
      { hint: 'Nothing was done. Say in your answer what you want to do, and ask.' },
    )
  }

  /**
   * Asks whether to run blocks in formats that are not enabled.
   *
   * @param shown what they would do, in lines that the terminal does not wrap
   * @throws HermesError `CANCELLED`
   */
  async offer(formats: readonly string[], shown: string, signal: AbortSignal): Promise<OfferAnswer> {
    const page = await paged(this.terminal, [
      `Not read without --dialect ${formats.join(',')}, with which it would do this:\n`, shown,
      `Run it? once: now; keep: from now on, too (dialects: ${formats.join(', ')} in hermes.yaml).\n`,
    ].join(''), signal)
    if (page === undefined || page === 'deny') return 'leave'
    const answer = await prompt(this.terminal, {
      text: page.last,
      question: '[o]nce [k]eep [l]eave (Enter: leave) ',
      read: reply => lookUp(OFFERS, reply),
      help: 'Type o, k or l.',
    }, signal)
    return answer ?? 'leave'
  }

  #question(request: ApprovalQuestion): string {
    const { kinds, isStored, isAskedAgain } = approvalLines(request)
    const isHooks = [request, ...request.reasons ?? []].some((reason) => reason.kind === 'hooks')
    const [what, file] = isHooks ? ['these hooks as they are', 'trusted_hooks'] : ['exactly this', 'command_allowlist']
    return [
      `hermes needs your approval:\n${this.#shown(request, 'It runs')}`,
      `session: ${what}, until ${this.lasts} ends; kind: every ${kinds.join(', and every ')}, until then;\n`,
      isStored ? `always: ${what}, from now on (stored in ${file} of your ${shownOwnFile()})${
        isAskedAgain ? '; what else it is asked for, as session' : ''}.\n`
        : 'always: as session, nothing is stored.\n',
    ].join('')
  }

  /**
   * The reasons are hermes' words, but the names in them are the model's. Everything except the diff is shown in full.
   */
  #shown(request: ApprovalQuestion, runs: string): string {
    const { action, reason, command, diff } = request
    const { variables, place } = approvalLines(request)
    return [
      this.#quote(`${action}: ${reason}`, Infinity),
      ...(command === undefined ? [] : [this.#quote(command, Infinity)]),
      ...(diff === undefined ? [] : [`It changes:\n${this.#quote(diff)}`, cutNotice(diff)]),
      ...(variables === undefined ? [] : [`It sets variables:\n${this.#quote(variables, Infinity)}`]),
      ...(place === undefined ? [] : [`${runs}:\n${this.#quote(place, Infinity)}`]),
    ].join('')
  }

  #escalation(request: ApprovalQuestion): string {
    return `The sandbox stopped a command. It can run again:\n${this.#shown(request, 'It ran')}`
      + `${openingLines(request, this.lasts)}\n`
  }

  async #denial(signal: AbortSignal): Promise<ApprovalAnswer | ApprovalReply> {
    const reason = await prompt(this.terminal, {
      text: '', question: 'Why, for the model (Enter: nothing)? ', read: reply => reply, help: '', takesPaste: true,
    }, signal)
    return reason === undefined || reason === '' ? 'deny' : { answer: 'deny', reason }
  }

  #quote(text: string, most?: number): string {
    return modelWords(text, this.terminal.output.columns || DEFAULT_COLUMNS, most)
  }
}

/** Notice below a diff that is not shown in full. */
function cutNotice(diff: string): string {
  return diff.length <= MOST_MODEL_WORDS ? '' : `This is the beginning of ${diff.length} characters.\n`
}

function helpFor(options: readonly string[] | undefined, numbered: boolean): string {
  if (options === undefined) return 'Type an answer.'
  if (!numbered) return 'Type one of the texts above, as it is written.'
  return options.length === 1 ? 'Type 1, or the text.'
    : `Type a number from 1 to ${options.length}, or one of the texts.`
}

function answerOf(
  reply: string, options: readonly string[] | undefined, numbered: boolean, defaultOption: string | undefined,
): string | undefined {
  if (reply === '') return defaultOption
  if (options === undefined) return reply
  const exact = options.find(option => option.trim() === reply)
  if (exact !== undefined) return exact
  if (numbered && /^\d+$/.test(reply)) return options[Number(reply) - 1]
  const same = options.filter(option => option.trim().toLowerCase() === reply.toLowerCase())
  return same.length === 1 ? same[0] : undefined
}

/**
 * Shows a text that is to be approved, page by page where it is longer than the terminal: what could be answered is
 * asked below its last page only, when all of it has been shown.
 *
 * @returns the last page, not yet shown; `deny` where the user said so before; `undefined` without a clear answer
 * @throws HermesError `CANCELLED`
 */
async function paged(
  terminal: Terminal, text: string, signal: AbortSignal,
): Promise<{ last: string } | 'deny' | undefined> {
  const lines = foldLines(text, terminal.output.columns || DEFAULT_COLUMNS).split(/(?<=\n)/)
  const size = Math.max((terminal.output.rows || 24) - QUESTION_ROWS, LEAST_ROWS)
  for (; lines.length > size; lines.splice(0, size)) {
    const answer = await prompt(terminal, {
      text: lines.slice(0, size).join(''),
      question: `${lines.length - size} more lines: [m]ore [d]eny (Enter: more) `,
      read: reply => lookUp(REPLIES, reply),
      help: 'Type m or d.',
    }, signal)
    if (answer !== 'more') return answer
  }
  return { last: lines.join('') }
}
