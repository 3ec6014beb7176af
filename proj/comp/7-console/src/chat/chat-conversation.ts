import {
  namedImages, namesImages, type Agent, type AgentEvent, type ImageInput, type TaskState,
} from '../../../6-agent/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { MODEL_APIS } from '../../../2-config/src/index.js'
import { addTo, escapeControls, oneOf, printable, usageError } from '../../../0-text/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { bannerRows } from './banner.js'
import { ChatHistory } from './chat-history.js'
import type { AgentTold, ConversationSetup } from './chat-setup.js'
import { lostRoots, ofRoot } from './kept-session.js'
import { ownCommand, ownLines, ownNote, type OwnOutcome } from './own-command.js'
import { recentRows, userRows } from './chat-rows.js'
import { SLASH_COMMANDS } from './slash-commands.js'
import { cutToWidth, wrapText } from '../../../2-terminal/src/index.js'

/** What a conversation can do at the terminal. */
export interface ChatPort {
  print(rows: readonly string[]): void
  /** Repeats what the user typed, unless it is still visible as typed. */
  echo(rows: readonly string[]): void
  wipe(): void
  /** Puts a text into the input line. */
  propose(text: string): void
  /** Shows events until they end. */
  play(events: AsyncIterable<AgentEvent>): Promise<void>
  leave(): void
}

/** Most stored conversations listed. */
const MOST_LISTED = 15
/** Most rows shown of the user's own command's output. */
const MOST_OWN_ROWS = 400
const KEYS: readonly (readonly [string, string])[] = [
  ['!COMMAND', 'run it yourself, as you, in the root and in no sandbox; the model is told with your next message'],
  ['@PATH', 'name a file for the model to read; Tab completes paths it may read'],
  ['Enter', 'send; while an answer comes it waits for its end'],
  ['Alt-Enter, Ctrl-J', 'a further line; what is pasted keeps its lines'],
  ['Up, Down', 'lines typed before'],
  ['Ctrl-R', 'the last line typed before that holds what stands here; again: the one before'],
  ['Ctrl-C', 'stop the answer, or empty the line; twice leaves'],
  ['Ctrl-D', 'leave'],
]

/** The conversation of a chat, and its slash commands. */
export class Conversation {
  readonly #commands: Readonly<Record<string, (argument: string, signal: AbortSignal) => void | Promise<void>>> = {
    help: () => this.#help(),
    clear: () => this.#clear(),
    diff: (since) => this.#history.diff(since),
    undo: (what, signal) => this.#history.undo(what, signal),
    commit: (message, signal) => this.#history.commit(message, signal),
    compact: (_, signal) => this.#play(this.#agent.compact({ taskId: this.#taskId, signal })),
    cost: () => this.#cost(),
    tools: () => this.#tools(),
    save: (file) => this.#save(file),
    model: (name) => this.#model(name),
    skills: () => this.#skills(),
    personality: (name) => this.#personality(name),
    resume: (id, signal) => this.#resume(id, signal),
    quit: () => this.port.leave(),
  }
  #agent: Agent
  #told: AgentTold
  /** Number of requests in this conversation, and of those that are estimated. */
  #used = { requests: 0, estimated: 0 }
  #taskId: string
  /** `undefined` until known. */
  #place: { root: string; host?: string } | undefined
  #personalityName: string | undefined
  readonly #history: ChatHistory

  constructor(private readonly setup: ConversationSetup, private readonly port: ChatPort) {
    this.#taskId = setup.taskId
    this.#told = { model: setup.model, personality: setup.personality?.text }
    this.#agent = setup.createAgent(this.#told)
    this.#personalityName = setup.personality?.name
    this.#history = new ChatHistory(setup, {
      agent: () => this.#agent, taskId: () => this.#taskId, say: (text) => this.#say(text),
      list: (lines) => this.#list(lines), print: (rows) => port.print(rows), propose: (text) => port.propose(text),
    })
  }

  /** Shows the banner, and continues a stored conversation. */
  async begin(signal: AbortSignal): Promise<void> {
    await this.#banner()
    if (this.setup.isResumed) await this.#goOn(signal)
  }

  /** Whether the model works with files of this machine. */
  get isHere(): boolean {
    return this.#place !== undefined && this.#place.host === undefined
  }

  /**
   * @param steer returns what the user adds while the answer is in progress
   * @param shown images besides those that the message names
   */
  async say(
    message: string, signal: AbortSignal, steer?: () => string | undefined, shown: readonly ImageInput[] = [],
  ): Promise<void> {
    const { palette, output } = this.setup
    this.port.echo(userRows(message, { palette, columns: output.columns }))
    const images = [...shown, ...await this.#imagesIn(message)]
    await this.#play(this.#agent.run(message, { taskId: this.#taskId, signal, steer, images }))
  }

  /** The images that a message names; none where the model works on another host, whose files they would be. */
  async #imagesIn(message: string): Promise<readonly ImageInput[]> {
    if (!namesImages(message)) return []
    const { host } = await this.#agent.workPlace(this.#taskId)
    if (host !== undefined) return []
    const { images, missing } = namedImages(message, await this.setup.gate())
    for (const name of missing) this.#say(`There is no ${name}: the model gets the name alone.`)
    return images
  }

  /** Runs a command of the user's own. */
  async own(command: string, signal: AbortSignal): Promise<void> {
    const { palette, output: { columns }, facts: { root }, mask } = this.setup
    this.port.echo(userRows(`!${command}`, { palette, columns }).slice(0, -1))
    let outcome: OwnOutcome | undefined
    const running = ownCommand(command, root, signal)
    await this.port.play((async function* () {
      outcome = yield* running
    })())
    if (!outcome) return
    const { output, ending } = outcome
    const lines = ownLines(output)
    const before = lines.length - MOST_OWN_ROWS
    const rows = lines.slice(-MOST_OWN_ROWS).flatMap((line) => this.#rows(line))
    this.port.print([
      ...(before > 0 ? [palette.faint(`… ${before} lines before`)] : []),
      ...(rows.length > MOST_OWN_ROWS ? [palette.faint('…')] : []), ...rows.slice(-MOST_OWN_ROWS),
      palette.faint(ending), '',
    ])
    await this.#agent.note(ownNote(command, outcome, { host: this.#place?.host, mask }), this.#taskId)
  }

  /** @throws HermesError where it fails */
  async command(name: string, argument: string, signal: AbortSignal): Promise<void> {
    this.port.echo([this.setup.palette.strong(
      cutToWidth(escapeControls(`> /${name} ${argument}`.trimEnd()), this.setup.output.columns - 1),
    )])
    await this.#commands[name]?.(argument, signal)
    if (name !== 'clear' && name !== 'quit') this.port.print([''])
  }

  /** Continues the conversation with a new agent, since the setup has changed. */
  async renew(): Promise<void> {
    await this.#remake({})
  }

  /** The state of the conversation. @throws HermesError `LOCKED` where another process has it open */
  async state(): Promise<TaskState> {
    return this.#agent.task({ taskId: this.#taskId })
  }

  async end(): Promise<void> {
    await this.#agent[Symbol.asyncDispose]()
  }

  async #banner(): Promise<void> {
    const { facts, palette, output } = this.setup
    const [tools, skills] = await Promise.all([this.#agent.tools(this.#taskId), this.setup.skills()])
    this.#place = await this.#agent.workPlace(this.#taskId)
    const { root, host } = this.#place
    const place = host === undefined ? facts : { ...facts, root: `${host}:${root}`, sandbox: 'none: by ssh' }
    this.port.print(bannerRows({
      ...place, model: this.#agent.model, tools: tools.length, skills: skills.length, session: this.#taskId,
    }, { palette, columns: output.columns }))
  }

  #help(): void {
    const commands = SLASH_COMMANDS.map(({ name, argument, help }) =>
      [`/${name}${argument === undefined ? '' : ` ${argument}`}`, help] as const)
    this.#table([...commands, ...KEYS])
  }

  async #clear(): Promise<void> {
    await this.#agent.end(this.#taskId)
    this.#taskId = this.setup.newTaskId()
    this.#used = { requests: 0, estimated: 0 }
    this.port.wipe()
    await this.#banner()
  }

  async #tools(): Promise<void> {
    const toolsets = new Map<string, string[]>()
    for (const { toolset, name } of await this.#agent.tools(this.#taskId)) addTo(toolsets, toolset, name)
    this.#table([...toolsets].map(([toolset, names]) => [toolset, names.join(', ')] as const))
    this.#say(this.setup.typed('hermes tools show NAME says what one takes.'))
  }

  async #save(file: string): Promise<void> {
    const state = await this.state()
    if (state.messages.length === 0) throw usageError('There is nothing to save yet', 'Say something first.')
    const trajectory = await this.#agent.trajectory(this.#taskId)
    this.#say(`Saved: ${await this.setup.save(state.id, trajectory, file === '' ? undefined : file)}`)
  }

  async #model(argument: string): Promise<void> {
    const [name = '', api, ...more] = argument.split(/\s+/)
    const chosen = MODEL_APIS.find((known) => known === api)
    if (more.length > 0 || (api !== undefined && chosen === undefined)) {
      throw new HermesError('INVALID_OPTION', `Not a model, nor one with its interface: ${argument}`, {
        hint: `Write /model NAME, or where its server has another interface: /model NAME ${MODEL_APIS.join('|')}.`,
      })
    }
    if (chosen !== undefined && chosen !== this.#agent.api) {
      await this.#remake({ model: name, server: await this.setup.server(chosen) })
    } else if (name !== '') this.#agent.model = name
    const by = this.#agent.api === 'chat' ? '' : ` (${this.#agent.api})`
    this.#say(`Model: ${this.#agent.model}${by}`)
  }

  async #skills(): Promise<void> {
    const skills = await this.setup.skills()
    if (skills.length === 0) this.#say('Skills: none')
    else this.#table(skills.map(({ name, description }) => [name, description] as const))
  }

  async #personality(name: string): Promise<void> {
    const { personalities } = this.setup
    if (name === '') {
      this.#table([['none', 'Nothing is added to what the model is told'], ...Object.entries(personalities)])
      this.#say(`Now: ${this.#personalityName ?? 'none'}`)
      return
    }
    const text = Object.hasOwn(personalities, name) ? personalities[name] : undefined
    if (text === undefined) oneOf('personality', name, ['none', ...Object.keys(personalities)])
    await this.#remake({ personality: text })
    this.#personalityName = text === undefined ? undefined : name
    this.#say(`Personality: ${name}`)
  }

  /** Continues with another agent, which reads the stored conversation; if none can be made, with the previous one. */
  async #remake(told: Partial<AgentTold>): Promise<void> {
    const before = this.#agent
    const all = { ...this.#told, model: before.model, ...told }
    this.#agent = this.setup.createAgent(all)
    this.#told = all
    await before[Symbol.asyncDispose]()
  }

  async #resume(id: string, signal: AbortSignal): Promise<void> {
    const kept = await this.setup.sessions.list()
    const all = ofRoot(kept, this.setup.facts.root)
    if (id === '') {
      const shown = all.filter((sessionInfo) => sessionInfo.id !== this.#taskId).slice(0, MOST_LISTED)
      if (shown.length === 0) {
        this.#say('No other conversation of this root is kept.')
        for (const line of lostRoots(kept, this.setup.facts.root)) this.#say(line)
      } else this.#table(shown.map((chat) => [chat.id, `${when(chat.updatedMs)}  ${chat.title ?? ''}`] as const))
      return
    }
    const sessionInfos = all.filter((sessionInfo) => sessionInfo.id === id || sessionInfo.id.startsWith(id))
    const [first] = sessionInfos.filter((sessionInfo) => sessionInfo.id === id).concat(sessionInfos)
    if (!first) throw usageError(`No conversation of this root is kept as ${id}`, '/resume lists them.')
    await this.#agent.end(this.#taskId)
    this.#taskId = first.id
    this.#used = { requests: 0, estimated: 0 }
    this.#say(`Session: ${first.id}`)
    await this.#goOn(signal)
  }

  async #goOn(signal: AbortSignal): Promise<void> {
    const state = await this.state()
    const { palette, output } = this.setup
    this.port.print(recentRows(state.messages, { palette, columns: output.columns }))
    if (!state.isUnfinished) return
    this.#say('The last answer was cut short: going on with it.')
    await this.#play(this.#agent.resume({ taskId: this.#taskId, signal }))
  }

  async #play(events: AsyncIterable<AgentEvent>): Promise<void> {
    const used = this.#used
    await this.port.play((async function* () {
      for await (const event of events) {
        if (event.type === 'usage') {
          used.requests++
          if (event.estimated) used.estimated++
        }
        yield event
      }
    })())
  }

  async #cost(): Promise<void> {
    const { usage: { input, output, cached, cost } } = await this.state()
    const { requests, estimated } = this.#used
    const number = (value: number): string => value.toLocaleString('en')
    this.#table([
      ['Requests', number(requests)],
      ['Tokens in', `${number(input)}${cached === undefined ? '' : `, ${number(cached)} of them read before`}`],
      ['Tokens out', number(output)],
      ...(cost === undefined ? [] : [['Cost', cost.toFixed(4)] as const]),
    ])
    if (estimated > 0) this.#say(`Of ${plural(estimated, 'request')} the server told no tokens: they are estimated.`)
    this.#say('Of this conversation, since it was opened here.')
  }

  #say(text: string): void {
    this.port.print(this.#rows(text))
  }

  #rows(text: string): string[] {
    return wrapText(printable(text), this.setup.output.columns - 1).map((row) => row.trimEnd())
  }

  #list(lines: readonly string[]): void {
    this.port.print(lines.map((line) => `  ${cutToWidth(escapeControls(line), this.setup.output.columns - 3)}`))
  }

  /** Prints two columns; one below the other on a narrow terminal. */
  #table(entries: readonly (readonly [string, string])[]): void {
    const { palette, output: { columns } } = this.setup
    const width = Math.min(Math.max(...entries.map(([name]) => name.length)) + 2, 36)
    const isWide = columns - width >= 30
    this.port.print(entries.flatMap(([name, text]) => {
      const left = escapeControls(name)
      const rows = wrapText(escapeControls(text.split('\n')[0] ?? ''), isWide ? columns - width - 1 : columns - 5)
        .map((row) => row.trimEnd())
      if (!isWide || left.length > width - 2) {
        return [palette.accent(cutToWidth(left, columns - 1)), ...rows.map((row) => `    ${row}`)]
      }
      return rows.map((row, index) => `${palette.accent((index === 0 ? left : '').padEnd(width))}${row}`)
    }))
  }
}

function when(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
}
