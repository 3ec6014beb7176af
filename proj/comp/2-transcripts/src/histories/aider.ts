import type { ReadFormat } from '../../../0-contracts/src/index.js'
import type { Conversation, Turn } from '../transcript-model.js'
import { TurnBuilder } from '../turn-builder.js'

const SESSION = /^# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s*$/
/** A line of the user, which aider ends with two spaces; a heading in an answer has none. */
const USER = /^#### ?(?<text>.*?) {2}$/
const FENCE = /^ {0,3}(?<run>`{3,}|~{3,})(?<info>.*)$/
/** Aider's message about unmatched blocks repeats them, with only its first line marked. */
const FAILED = /^> # \d+ SEARCH\/REPLACE blocks? failed to match!/
const FAILED_END = 'The SEARCH section must exactly match'
/** Commands whose output is no answer of a model, but may contain diffs and files. */
const PRINTS = /^(?:!|\/(?:add|commit|diff|git|ls|map|map-refresh|run|settings|tokens|undo|web)\b)/

/** Edit formats by the names that aider prints at the start of a session. */
const FORMATS: Readonly<Record<string, ReadFormat>> = {
  'diff': 'search-replace', 'diff-fenced': 'search-replace', 'editor-diff': 'search-replace',
  'editor-diff-fenced': 'search-replace', 'whole': 'whole', 'editor-whole': 'whole', 'udiff': 'unified',
  'udiff-simple': 'unified', 'patch': 'v4a',
}

/** Whether a text is aider's history, which states the start of each session. */
export function isAiderHistory(text: string): boolean {
  return text.includes('# aider chat started at ') && text.split('\n').some((line) => SESSION.test(line))
}

/**
 * Reads aider's history of a project (`.aider.chat.history.md`): all sessions, which work on the same files, as one
 * conversation. `#### ` marks the user's lines, `> ` aider's, the rest is the model's. Results are not recorded.
 * Source: aider, `io.py` (`append_chat_history`) and `utils.py` (`split_chat_history_markdown`).
 */
export function readAider(text: string): Conversation {
  const turns = new AiderReader().read(text.split(/\r?\n/))
  // An export has one setting for all turns.
  const formats = new Set(turns.flatMap((turn) => (turn.role === 'assistant' ? turn.settings?.editFormats ?? [] : [])))
  return { turns, ...(formats.size > 0 && { settings: { editFormats: [...formats] } }) }
}

class AiderReader {
  readonly #builder = new TurnBuilder()
  #said: string[] = []
  #asked: string[] = []
  #format: ReadFormat = 'search-replace'
  #fence: string | undefined
  #isFailure = false
  /** Whether unmarked lines are an answer, since the user has asked for one. */
  #answers = false

  read(lines: readonly string[]): Turn[] {
    for (const [index, line] of lines.entries()) this.#take(line, (lines[index - 1] ?? '').trim() === '')
    this.#endAnswer()
    this.#endQuestion()
    return this.#builder.end()
  }

  #take(line: string, isBelowBlank: boolean): void {
    const asked = USER.exec(line)?.groups?.['text']
    // An interrupted answer leaves its fence open.
    const isQuestion = asked !== undefined && (this.#fence === undefined || isBelowBlank)
    if (SESSION.test(line)) {
      this.#end()
      this.#answers = false
      this.#format = 'search-replace'
    } else if (isQuestion) this.#ask(asked)
    else if (this.#isFailure) this.#isFailure = !line.startsWith(FAILED_END)
    else if (this.#fence === undefined && /^>(?: |$)/.test(line)) this.#tell(line)
    else this.#say(line)
  }

  #ask(text: string): void {
    if (this.#asked.length === 0) {
      this.#end()
      this.#answers = !PRINTS.test(text)
    }
    this.#asked.push(text)
  }

  #tell(line: string): void {
    this.#end()
    this.#isFailure = FAILED.test(line)
    for (const { groups } of line.matchAll(/\bwith (?<name>[\w-]+) edit format/g)) {
      this.#format = FORMATS[groups?.['name'] ?? ''] ?? this.#format
    }
  }

  #say(line: string): void {
    this.#endQuestion()
    if (!this.#answers) return
    const { run = '', info = '' } = FENCE.exec(line)?.groups ?? {}
    if (this.#fence === undefined) this.#fence = run === '' ? undefined : run
    else if (run.startsWith(this.#fence) && info.trim() === '') this.#fence = undefined
    this.#said.push(line)
  }

  #end(): void {
    this.#endAnswer()
    this.#endQuestion()
    this.#fence = undefined
    this.#isFailure = false
  }

  #endQuestion(): void {
    if (this.#asked.length > 0) this.#builder.say('user', this.#asked.join('\n'))
    this.#asked = []
  }

  #endAnswer(): void {
    const text = this.#said.join('\n').trim()
    this.#said = []
    if (text === '') return
    this.#builder.begin({ editFormats: [this.#format] })
    this.#builder.text(text)
  }
}
