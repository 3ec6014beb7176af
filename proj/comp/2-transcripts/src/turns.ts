import type { ResponsePart } from '../../0-contracts/src/index.js'
import type { AssistantTurn, RecordedCall, RecordedResult, TranscriptSettings, Turn } from './transcript-model.js'
import { responseSections } from './recorded-results.js'
import { invalidTranscript } from './transcript-failure.js'

/** Puts turns together from the pieces that formats have: pieces of one side in a row are one turn. */
export class TurnBuilder {
  readonly turns: Turn[] = []

  /** What is said as a whole; of the assistant a turn of its own where it has said or called something already. */
  say(role: 'system' | 'user' | 'assistant', text: string, path?: readonly (string | number)[]): void {
    if (role === 'assistant') {
      const last = this.turns.at(-1)
      if (last?.role === 'assistant' && (last.text !== '' || last.calls.length > 0)) this.begin()
      this.text(text)
      return
    }
    // A user's turn of tool responses alone is how text protocols hand results back.
    const results = role === 'user' ? responseSections(text, path) : undefined
    if (results) for (const result of results) this.result(result)
    else this.turns.push({ role, text })
  }

  text(text: string): void {
    if (text === '') return
    const turn = this.#assistant()
    turn.text = turn.text === '' ? text : `${turn.text}\n${text}`
  }

  reason(text: string): void {
    if (text === '') return
    const turn = this.#assistant()
    turn.reasoning = turn.reasoning === '' ? text : `${turn.reasoning}\n${text}`
  }

  call(call: RecordedCall): void {
    this.#assistant().calls.push(call)
  }

  /**
   * What a message of the assistant holds: what asks for something and is of no kind that is read becomes a call by its
   * kind, which no rule maps.
   *
   * @throws HermesError `INVALID_TRANSCRIPT` where the answer broke off, or a call has no name
   */
  parts(parts: readonly ResponsePart[]): void {
    for (const part of parts) {
      if (part.type === 'text') this.text(part.text)
      else if (part.type === 'thought') this.reason(part.text)
      else if (part.type === 'call') this.call(makeCall(part.name, part.arguments, part.id))
      else if (part.type === 'served') this.call({ ...makeCall(part.name, part.source, part.id), byService: true })
      else if (part.source === undefined || part.name === '' || part.code !== 'NOT_READ') {
        throw invalidTranscript(part.problem, part.hint)
      } else this.call(makeCall(part.name, part.source, part.id))
    }
  }

  result(result: RecordedResult): void {
    const last = this.turns.at(-1)
    if (last?.role === 'results') last.results.push(result)
    else this.turns.push({ role: 'results', results: [result] })
  }

  /** What comes is a turn of its own, even where the last one was the assistant's too. */
  begin(settings?: TranscriptSettings): void {
    this.turns.push({ role: 'assistant', reasoning: '', text: '', calls: [], ...(settings && { settings }) })
  }

  /** @returns the turns, without empty ones of the assistant */
  end(): Turn[] {
    return this.turns.filter((turn) =>
      turn.role !== 'assistant' || turn.text !== '' || turn.reasoning !== '' || turn.calls.length > 0)
  }

  #assistant(): AssistantTurn {
    const last = this.turns.at(-1)
    if (last?.role === 'assistant') return last
    const turn: AssistantTurn = { role: 'assistant', reasoning: '', text: '', calls: [] }
    this.turns.push(turn)
    return turn
  }
}

/** A call as `{name, arguments}` has it, in a value or its JSON. */
export function makeCall(name: string, args: unknown, id?: string): RecordedCall {
  return { ...(id !== undefined && id !== '' && { id }), name, arguments: args ?? {} }
}
