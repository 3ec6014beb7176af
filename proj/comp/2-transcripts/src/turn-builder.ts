import type { ResponsePart } from '../../0-contracts/src/index.js'
import type { AssistantTurn, RecordedCall, RecordedResult, TranscriptSettings, Turn } from './transcript-model.js'
import { responseSections } from './recorded-results.js'
import { invalidTranscript } from './transcript-failure.js'

/**
 * Puts the turns of a transcript together from the pieces that its format has, in their order: pieces of the assistant
 * in a row (text, reasoning, calls) are one turn, and so are results in a row.
 */
export class TurnBuilder {
  readonly turns: Turn[] = []

  /**
   * A whole message: of the assistant a turn of its own where it has said or called something already.
   *
   * @param path of the message in its file, for what is wrong in it
   */
  say(role: 'system' | 'user' | 'assistant', text: string, path?: readonly (string | number)[]): void {
    if (role === 'assistant') {
      const last = this.turns.at(-1)
      if (last?.role === 'assistant' && (last.text !== '' || last.calls.length > 0)) this.begin()
      this.text(text)
      return
    }
    // A user's turn of only tool responses is how text protocols return results.
    const results = role === 'user' ? responseSections(text, path) : undefined
    if (results) for (const result of results) this.result(result)
    else this.turns.push({ role, text })
  }

  text(text: string): void {
    if (text === '') return
    const turn = this.#assistantTurn()
    turn.text = turn.text === '' ? text : `${turn.text}\n${text}`
  }

  reason(text: string): void {
    if (text === '') return
    const turn = this.#assistantTurn()
    turn.reasoning = turn.reasoning === '' ? text : `${turn.reasoning}\n${text}`
  }

  call(call: RecordedCall): void {
    this.#assistantTurn().calls.push(call)
  }

  /**
   * The parts of a message of the assistant. One that asks for something, and is of a kind that is not read, becomes a
   * call by the name of its kind, which no rule maps: a replay tells of it.
   *
   * @throws HermesError `INVALID_TRANSCRIPT` where the answer was cut off, or a call has no name
   */
  parts(parts: readonly ResponsePart[]): void {
    for (const part of parts) {
      if (part.type === 'text') this.text(part.text)
      else if (part.type === 'thought') this.reason(part.text)
      else if (part.type === 'call') this.call(makeCall(part.name, part.arguments, part.id))
      else if (part.type === 'served') this.call({ ...makeCall(part.name, part.source, part.id), byService: true })
      else if (part.source !== undefined && part.name !== '' && part.code === 'NOT_READ') {
        this.call(makeCall(part.name, part.source, part.id))
      } else throw invalidTranscript(part.problem, part.hint)
    }
  }

  /** What a tool gave back. */
  result(result: RecordedResult): void {
    const last = this.turns.at(-1)
    if (last?.role === 'results') last.results.push(result)
    else this.turns.push({ role: 'results', results: [result] })
  }

  /** Begins a turn of the assistant, also where the last one was the assistant's too. */
  begin(settings?: TranscriptSettings): AssistantTurn {
    const turn: AssistantTurn = { role: 'assistant', reasoning: '', text: '', calls: [], ...(settings && { settings }) }
    this.turns.push(turn)
    return turn
  }

  /** @returns the turns, without empty ones of the assistant */
  end(): Turn[] {
    return this.turns.filter((turn) =>
      turn.role !== 'assistant' || turn.text !== '' || turn.reasoning !== '' || turn.calls.length > 0)
  }

  /** The one that pieces of the assistant are added to. */
  #assistantTurn(): AssistantTurn {
    const last = this.turns.at(-1)
    return last?.role === 'assistant' ? last : this.begin()
  }
}

/** A call as `{name, arguments}` has it, in a value or its JSON. */
export function makeCall(name: string, args: unknown, id?: string): RecordedCall {
  return { ...(id !== undefined && id !== '' && { id }), name, arguments: args ?? {} }
}
