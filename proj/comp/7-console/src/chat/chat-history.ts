import { resolve } from 'node:path'
import type { Agent } from '../../../6-agent/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { loadDiffRenderer, plural } from '../../../1-reports/src/index.js'
import { escapeControls, usageError } from '../../../0-text/src/index.js'
import { cutToWidth } from '../../../2-terminal/src/index.js'
import type { UnitUndone } from '../../../3-transaction/src/index.js'
import type { ConversationSetup, UndoMode } from './chat-setup.js'

/** Most rows shown of a diff. */
const MOST_ROWS = 400
const LONGEST_SUBJECT = 72

/** What these commands need of the conversation. */
export interface HistoryPort {
  agent(): Agent
  taskId(): string
  say(text: string): void
  list(lines: readonly string[]): void
  print(rows: readonly string[]): void
  propose(text: string): void
}

/** `/diff`, `/undo` and `/commit`: the changes of the conversation. */
export class ChatHistory {
  constructor(private readonly setup: ConversationSetup, private readonly port: HistoryPort) {}

  /** @param given the number of a message, `all`, or nothing for the last message */
  async diff(given: string): Promise<void> {
    await this.port.agent().requireHere('/diff', this.port.taskId())
    const messages = await this.#messages()
    const count = messages.length
    const from = given === '' ? count : given === 'all' ? 1 : /^[1-9]\d*$/.test(given) ? Number(given) : NaN
    if (!(from <= count) || count === 0) throw new HermesError('INVALID_OPTION', count === 0 ? 'No message was sent yet'
      : `There is no message ${given}`, {
      hint: count === 0 ? 'Say something first.' : `Write /diff, /diff all, or a number from 1 to ${count}.`,
    })
    const { palette, output: { columns }, facts: { root } } = this.setup
    const units = messages.slice(from - 1).map(({ unit }) => unit)
    const changes = await this.setup.files.changes(this.port.taskId(), units)
    const text = (await loadDiffRenderer({ roots: [root] }))(changes)
    const title = firstLine(messages[from - 1]?.text ?? '')
    this.port.say(`Since message ${from} of ${count}: ${title}`)
    if (text === '') this.port.say('No file is another than before.')
    const rows = text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined)
    this.port.print(rows.slice(0, MOST_ROWS).map((row) => {
      const shown = cutToWidth(row.replaceAll('\t', '    '), columns - 1)
      const [mark] = row.trimStart()
      return mark === '+' ? palette.good(shown) : mark === '-' ? palette.bad(shown) : shown
    }))
    if (rows.length > MOST_ROWS) this.port.say(`… ${plural(rows.length - MOST_ROWS, 'more row')}`)
  }

  /** @param given options, then a path or nothing for the last message */
  async undo(given: string, signal: AbortSignal): Promise<void> {
    await this.port.agent().requireHere('/undo', this.port.taskId())
    const [, option, path = ''] = /^(?:--(force|keep)(?:\s+|$))?([^]*)$/.exec(given.trim()) ?? []
    const mode: UndoMode = option === 'force' ? 'merge' : option === 'keep' ? 'keep' : 'leave'
    return path === '' ? this.#undoMessage(mode, signal) : this.#undoFile(path, mode, signal)
  }

  /** Commits; without a message, proposes one in the input line. */
  async commit(message: string, signal: AbortSignal): Promise<void> {
    const taskId = this.port.taskId()
    if (message !== '') {
      const { hash, subject, files, told } = await this.port.agent().commit(message, { taskId, signal })
      this.port.say(`Committed as ${hash.slice(0, 12)}: ${subject}`)
      this.port.list(files)
      for (const line of told) this.port.say(line)
      return
    }
    const { files, told } = await this.port.agent().committable(taskId)
    if (files.length === 0) this.port.say('There is nothing of this conversation to commit.')
    else {
      this.port.say(`It would commit ${plural(files.length, 'file')}:`)
      this.port.list(files)
      this.port.propose(`/commit ${firstLine((await this.#messages()).at(-1)?.text ?? '').slice(0, LONGEST_SUBJECT)}`)
    }
    for (const line of told) this.port.say(line)
    if (files.length > 0) this.port.say(this.setup.isPlain === true
      ? 'Type this with your message, then Enter commits.' : 'Change the message in the line, then Enter commits.')
  }

  async #undoMessage(mode: UndoMode, signal: AbortSignal): Promise<void> {
    const [agent, taskId] = [this.port.agent(), this.port.taskId()]
    const last = (await this.#messages()).at(-1)
    if (!last) throw usageError('There is nothing to take back', 'No message is in this conversation.')
    const undone = await this.setup.files.undo(taskId, last.unit, mode, signal)
    const title = firstLine(last.text)
    if (undone.left.length > 0) {
      this.port.say(`Took back in part: ${title}`)
      this.#tell(undone)
      this.port.say('The message stays, since not all of its files went back. '
        + '/undo --force merges them with what was changed since, /undo --keep lets them be and takes the message out.')
      await this.#note(undone, `what the last message ("${title}") changed in`)
      return
    }
    await agent.undo(taskId, undone.restored.map((path) => resolve(this.setup.facts.root, path)))
    this.port.say(`Took back: ${title}`)
    this.#tell(undone)
    if (last.unit === '') {
      const how = this.setup.typed('hermes log lists runs, and hermes undo takes them back.')
      this.port.say(`Which files it changed is not known: they stay. ${how}`)
    }
    this.port.propose(last.text)
  }

  async #undoFile(path: string, mode: UndoMode, signal: AbortSignal): Promise<void> {
    const undone = await this.setup.files.undoFile(this.port.taskId(), path, mode, signal)
    if (!undone) throw new HermesError('NOTHING_TO_UNDO', `Nothing in this conversation changed ${path}`, {
      hint: '/diff all shows what was changed. Without a path, /undo takes back the last message.',
    })
    this.#tell(undone)
    if (undone.left.length > 0) this.port.say(`/undo --force ${path} merges it with what was changed since.`)
    await this.#note(undone, 'the last change of')
  }

  #tell({ restored, merged, left, kept, warnings }: UnitUndone): void {
    this.port.list([
      ...restored.map((path) => `as before: ${path}`),
      ...merged.map(({ path, marked }) => `merged${marked ? ', with conflict markers' : ''}: ${path}`),
      ...left.map(({ path, reason }) => `left alone: ${path} (${reason})`),
      ...kept.map(({ path, reason }) => `stays: ${path} (${reason})`),
    ])
    for (const line of warnings) this.port.say(line)
  }

  /** Adds a note for the model, whose knowledge of the files is now outdated. */
  async #note({ restored, merged, left, kept }: UnitUndone, what: string): Promise<void> {
    const back = [...restored, ...merged.map(({ path }) => path)]
    const stay = [...left, ...kept].map(({ path }) => path)
    if (back.length === 0) return
    const rest = stay.length === 0 ? '' : ` These stay as they are now: ${stay.join(', ')}.`
    await this.port.agent().note(`The user took back ${what}: ${back.join(', ')}.${rest}`
      + ' Read them again before you change them.', this.port.taskId(), true)
  }

  #messages(): Promise<{ text: string; unit: string }[]> {
    return this.port.agent().messages(this.port.taskId())
  }
}

function firstLine(text: string): string {
  return escapeControls(text.trim().slice(0, 1000).split('\n')[0] ?? '')
}
