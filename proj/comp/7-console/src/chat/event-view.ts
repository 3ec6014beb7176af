import type { AgentEvent, TokenCount } from '../../../6-agent/src/index.js'
import { duration, rewriteLine, subjectOf, type LineDiff, type Palette } from '../../../1-reports/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { callRows } from './call-view.js'
import { endWords, noticeWords, shortCount } from './event-words.js'
import { userRows } from './chat-rows.js'
import { TextFlow, type Flow } from './text-flow.js'
import { MarkdownFlow, type Signs } from '../markdown/index.js'
import { callTitle, cutToWidth, RunningCalls, wrapText } from '../../../2-terminal/src/index.js'

/** Most lines shown of a running command. */
const MOST_OUTPUT = 3

export interface ViewOptions {
  palette: Palette
  /** Absolute directories that count as the root: paths below are shown relative. */
  roots: readonly string[]
  /** Whether to show the model's thoughts. */
  showReasoning: boolean
  /** Characters for rendering answers as Markdown. Default: shown as written. */
  signs?: Signs | undefined
  /** Whether a call gets a row when it starts, if nothing else shows that it runs. */
  showsBegun?: boolean
  /** As in `CallLook`. */
  lineDiff?: LineDiff | undefined
}

/** Turns an agent's events into finished rows, a row in progress, and a status line. */
export class EventView {
  readonly #text: Flow
  readonly #reasoning: Flow
  readonly #running = new RunningCalls(MOST_OUTPUT)
  #status = ''
  #calls = 0
  #startedAt = performance.now()
  #used: TokenCount = { input: 0, output: 0 }
  /** What was printed last, to put a single blank row between text and calls. */
  #last: 'nothing' | 'text' | 'call' = 'nothing'

  constructor(private readonly options: ViewOptions) {
    const { palette, signs } = options
    this.#text = signs ? new MarkdownFlow(palette, signs) : new TextFlow()
    this.#reasoning = new TextFlow((text) => palette.faint(text))
  }

  /** Called for a new message: resets counts and times. */
  begin(): void {
    this.#status = 'Waiting for the model'
    this.#calls = 0
    this.#startedAt = performance.now()
    this.#used = { input: 0, output: 0 }
    this.#last = 'nothing'
    this.#running.clear()
  }

  /** What the agent is doing, without a period. */
  get status(): string {
    return this.#running.title ?? this.#status
  }

  /** Time of the running call; else since the message. */
  get elapsedMs(): number {
    return this.#running.elapsedMs ?? performance.now() - this.#startedAt
  }

  /** The last lines of a running command. */
  output(columns: number): string[] {
    return this.#running.rows({ palette: this.options.palette, columns })
  }

  /** Rows that may still change. */
  open(columns: number): string[] {
    return [...this.#reasoning.open(columns), ...this.#text.open(columns)]
  }

  /** Handles an event; returns finished rows. */
  event(event: AgentEvent, columns: number): string[] {
    const { palette, roots, showReasoning, showsBegun, lineDiff } = this.options
    switch (event.type) {
      case 'turn_start':
        this.#status = 'Waiting for the model'
        return []
      case 'reasoning':
        this.#status = 'Thinking'
        return showReasoning ? [...this.#gap('text'), ...this.#reasoning.push(event.text, columns)] : []
      case 'text':
        this.#status = 'Answering'
        return [...this.#reasoning.end(columns), ...this.#gap('text'), ...this.#text.push(event.text, columns)]
      case 'rewrites':
        return [
          ...this.#flush(columns), ...event.rewrites.flatMap((rewrite) => this.#note(rewriteLine(rewrite), columns)),
        ]
      case 'call_start': {
        const title = callTitle(event.tool, subjectOf(event.parameters, roots))
        this.#running.start(event.id, title)
        if (showsBegun !== true || event.tool === '!') return this.#flush(columns)
        return [...this.#flush(columns), ...this.#gap('call'), palette.faint(cutToWidth(`… ${title}`, columns - 1))]
      }
      case 'call_progress':
        this.#running.progressed(event)
        return []
      case 'call_output':
        this.#running.printed(event.id, event.lines)
        return []
      case 'call_end': {
        this.#running.end(event.id)
        this.#calls++
        const rows = callRows(event.tool, event.result, { palette, columns, roots, lineDiff })
        return [...this.#flush(columns), ...this.#gap('call'), ...rows]
      }
      case 'usage':
        this.#used = {
          input: this.#used.input + event.input, output: this.#used.output + event.output, ...cost(this.#used, event),
        }
        return []
      case 'retry':
      case 'context':
      case 'notice': {
        if (event.type === 'retry') this.#status = `Trying again in ${duration(event.waitMs)}`
        const summary = event.type === 'context' ? this.#summary(event.summary, columns) : []
        return [...this.#flush(columns), ...this.#note(noticeWords(event), columns), ...summary]
      }
      case 'steer': {
        const rows = [...this.#flush(columns), ...this.#gap('text'), ...userRows(event.text, { palette, columns })]
        this.#last = 'nothing'
        return rows
      }
      case 'end':
        return [...this.#flush(columns), ...this.#ending(event, columns)]
    }
  }

  /** The rest of a text that was cut short. */
  #flush(columns: number): string[] {
    return [...this.#reasoning.end(columns), ...this.#text.end(columns)]
  }

  #gap(next: 'text' | 'call'): string[] {
    const isNew = this.#last !== next && this.#last !== 'nothing'
    this.#last = next
    return isNew ? [''] : []
  }

  #note(text: string, columns: number): string[] {
    return wrapText(escapeControls(`! ${text}`), columns - 1).map((row) => this.options.palette.note(row.trimEnd()))
  }

  /** The summary that replaces older messages for the model. */
  #summary(text: string | undefined, columns: number): string[] {
    if (text === undefined) return []
    const flow = new TextFlow((row) => this.options.palette.faint(row))
    return [...flow.push(text, columns), ...flow.end(columns)]
  }

  #ending({ reason }: Extract<AgentEvent, { type: 'end' }>, columns: number): string[] {
    const { palette } = this.options
    this.#running.clear()
    const { input, output, cost: price } = this.#used
    const facts = [
      ...(this.#calls === 0 ? [] : [`${this.#calls} ${this.#calls === 1 ? 'call' : 'calls'}`]),
      ...(input + output === 0 ? [] : [`${shortCount(input)} tokens in, ${shortCount(output)} out`]),
      ...(price === undefined ? [] : [`cost ${price.toFixed(4)}`]),
      duration(this.elapsedMs),
    ].join(' · ')
    const rows = wrapText(facts, columns - 1).map((row) => palette.faint(row.trimEnd()))
    return [...(reason === 'answer' ? [] : ['', ...this.#note(endWords(reason), columns)]), '', ...rows]
  }
}

function cost(before: TokenCount, event: TokenCount): { cost?: number } {
  return event.cost === undefined ? {} : { cost: (before.cost ?? 0) + event.cost }
}
