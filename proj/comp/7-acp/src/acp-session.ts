import type {
  AvailableCommand, ContentBlock, SessionModeState, SessionUpdate, StopReason,
} from '@agentclientprotocol/sdk'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HermesError, untilAborted, type McpServer } from '../../0-contracts/src/index.js'
import { escapeControls, fenced } from '../../0-text/src/index.js'
import type { AgentEvent, AgentOptions, EndReason } from '../../6-agent/src/index.js'
import { Conversation, SLASH_COMMANDS, slashLine } from '../../7-console/src/index.js'
import { createPalette } from '../../1-reports/src/index.js'
import type { AcpSetup, OpenedPlace } from './acp-setup.js'
import type { ClientPort } from './client-port.js'
import type { EditorPaths } from './editor-paths.js'
import { askedUser, type AskedCall } from './asked-user.js'
import { keptUpdates } from './kept-updates.js'
import { promptMessage, type PromptMessage } from './prompt-message.js'
import { chunk, TurnView } from './turn-view.js'
import { UnsavedFiles } from './unsaved-files.js'

const MODES: Readonly<Record<ModeId, { name: string; description: string }>> = {
  ask: { name: 'Ask', description: 'You are asked before what needs an approval, by your policy or as dangerous' },
  auto: { name: 'Auto', description: 'Approvals are given without asking, as by --yes; the sandbox stays' },
  plan: { name: 'Plan', description: 'Only verbs that read: nothing is written, and no command runs' },
}

/** Commands of the chat that an editor has of its own: sessions, and what is typed while an answer comes. */
const OF_EDITORS = new Set(['help', 'clear', 'resume', 'quit', 'steer'])

/** What may be written with a slash in place of a message. */
const OFFERED_COMMANDS: readonly AvailableCommand[] = SLASH_COMMANDS
  .filter(({ name }) => !OF_EDITORS.has(name))
  .map(({ name, argument, help }) => ({
    name, description: help, ...(argument !== undefined && { input: { hint: argument.replace(/^\[|\]$/g, '') } }),
  }))

/** Rows of what a command prints are no wider. */
const COLUMNS = 120
const LONGEST_TITLE = 100

const STOP_REASONS: Readonly<Record<EndReason, StopReason>> = {
  answer: 'end_turn', loop: 'end_turn', max_turns: 'max_turn_requests', length: 'max_tokens', cancelled: 'cancelled',
}

export interface SessionOptions {
  id: string
  setup: AcpSetup
  place: OpenedPlace
  client: ClientPort
  named: EditorPaths
  servers: readonly McpServer[]
}

/** One session of a client: a conversation as the chat has it, told of in updates. */
export class AcpSession {
  readonly id: string
  readonly #view: TurnView
  readonly #unsaved: UnsavedFiles | undefined
  readonly #user: ReturnType<typeof askedUser>
  readonly #conversation: Conversation
  #mode: ModeId
  /** The message that is being answered. */
  #turn: AbortController | undefined
  #answering: Promise<unknown> = Promise.resolve()
  /** What the model is offered changes. */
  #changing: Promise<void> = Promise.resolve()
  #reason: EndReason = 'answer'
  /** What a command has printed. */
  readonly #rows: string[] = []
  #isTitled = false
  /** Events that were taken, and the last of what was sent of them. */
  #seen = 0
  #sent: Promise<void> = Promise.resolve()

  constructor(private readonly options: SessionOptions) {
    const { id, setup, place, client, named } = options
    this.id = id
    this.#mode = setup.yes ? 'auto' : 'ask'
    const { capabilities } = client
    this.#view = new TurnView({
      root: place.facts.root, named, masker: place.masker, hasNotices: capabilities.session?.notices !== undefined,
    })
    this.#unsaved = capabilities.fs?.readTextFile === true ? new UnsavedFiles(client, named) : undefined
    this.#user = askedUser({
      client, signal: () => this.#turn?.signal ?? AbortSignal.abort(), isAuto: () => this.#mode === 'auto',
      callFor: async (action, title) => this.#callFor(action, title),
    })
    this.#conversation = new Conversation({
      ...place, taskId: id, isResumed: false, newTaskId: () => setup.newTaskId(), sessions: setup.sessions,
      createAgent: (told) => place.createAgent(told, this.#agentOptions()),
      output: { columns: COLUMNS }, palette: createPalette(false), isPlain: true,
      mask: (text) => place.masker.text(text),
    }, {
      print: (rows) => void this.#rows.push(...rows), propose: (text) => void this.#rows.push(...text.split('\n')),
      echo: () => undefined, wipe: () => undefined, leave: () => undefined, play: async (events) => this.#play(events),
    })
  }

  get modes(): SessionModeState {
    // With toolsets that the user chose there is no plan: a mode gives no verb that the user left out.
    const hasPlan = this.options.place.toolsets === undefined
    const ids = (Object.keys(MODES) as ModeId[]).filter((id) => hasPlan || id !== 'plan')
    return { currentModeId: this.#mode, availableModes: ids.map((id) => ({ id, ...MODES[id] })) }
  }

  /** Opens what is kept, or begins it. @throws HermesError `LOCKED` where another process has it open */
  async open(): Promise<void> {
    await this.#conversation.state()
  }

  /** Tells what may be written with a slash: once the client knows the session. */
  async tellCommands(): Promise<void> {
    await this.#send([{ sessionUpdate: 'available_commands_update', availableCommands: [...OFFERED_COMMANDS] }])
  }

  /** Tells all that was said and done in it. */
  async replay(): Promise<void> {
    const { messages, root } = await this.#conversation.state()
    const updates = keptUpdates(messages, root, () => this.#view.newId())
    this.#isTitled = updates.length > 0
    await this.#send(updates)
  }

  /** @throws HermesError `INVALID_PARAMETER` for another mode; `LOCKED` where what is offered cannot change now */
  async setMode(id: string): Promise<void> {
    const ids = this.modes.availableModes.map((availableMode) => availableMode.id)
    if (!ids.includes(id)) {
      throw new HermesError('INVALID_PARAMETER', `There is no mode ${id} here`, { hint: `Modes: ${ids.join(', ')}.` })
    }
    const mode = id as ModeId
    const isOther = (mode === 'plan') !== (this.#mode === 'plan')
    if (isOther && this.#turn) {
      throw new HermesError('LOCKED', `The mode ${mode} changes what the model is offered, and it is answering`, {
        hint: 'Wait for the answer or cancel it, then change the mode.',
      })
    }
    this.#mode = mode
    if (!isOther) return
    const changing = this.#changing.then(async () => this.#conversation.renew())
    // What fails is told once, and keeps no later prompt from its answer.
    this.#changing = changing.catch(() => undefined)
    await changing
  }

  /**
   * Answers one message, or does what a command says.
   *
   * @param request aborted where the client gives the request up
   * @throws HermesError `LOCKED` while another is answered; what keeps the model from answering
   */
  async prompt(blocks: readonly ContentBlock[], request: AbortSignal): Promise<StopReason> {
    if (this.#turn) {
      throw new HermesError('LOCKED', 'Another message of this session is being answered', {
        hint: 'Wait for it, or cancel it.',
      })
    }
    const message = promptMessage(blocks, this.options.place.facts.root)
    const turn = new AbortController()
    this.#turn = turn
    const answering = untilAborted(request, () => turn.abort(), async () => this.#answer(message, turn.signal))
    this.#answering = answering.catch(() => undefined)
    try {
      return await answering
    } finally {
      this.#turn = undefined
    }
  }

  /** Stops the model and its commands; what was asked is answered by nobody. */
  cancel(): void {
    this.#turn?.abort()
  }

  /** Ends what runs, and the conversation, which is kept. */
  async end(): Promise<void> {
    this.cancel()
    await Promise.allSettled([this.#answering, this.#changing])
    await this.#conversation.end()
  }

  #agentOptions(): Partial<AgentOptions> {
    const unsaved = this.#unsaved
    return {
      ...this.#user, ...(this.#mode === 'plan' && { enabledToolsets: ['read-only'] }), changeTexts: true,
      mcpServers: this.options.servers,
      ...(unsaved && { beforeWrite: async (paths, signal) => unsaved.check(paths, signal) }),
    }
  }

  async #answer({ text, images }: PromptMessage, signal: AbortSignal): Promise<StopReason> {
    this.#reason = 'answer'
    try {
      await this.#changing
      const command = offeredCommand(text)
      if (command) await this.#command(command, signal)
      else {
        await this.#tellTitle(text)
        await this.#withRows(async () => this.#conversation.say(text, signal, undefined, images))
      }
      return signal.aborted ? 'cancelled' : STOP_REASONS[this.#reason]
    } catch (error) {
      if (signal.aborted) return 'cancelled'
      throw error
    } finally {
      await this.#send(this.#view.end())
    }
  }

  async #command({ name, argument }: { name: string; argument: string }, signal: AbortSignal): Promise<void> {
    const run = async (): Promise<void> => this.#conversation.command(name, argument, signal)
    await this.#withRows(run, name === 'diff' ? 'diff' : 'text')
  }

  /** What the conversation prints beside events is told, too. */
  async #withRows(work: () => Promise<void>, language = 'text'): Promise<void> {
    this.#rows.length = 0
    try {
      await work()
    } finally {
      const text = this.#rows.splice(0).map((row) => row.trimEnd()).join('\n').trim()
      if (text !== '') await this.#send([chunk('agent_message_chunk', fenced(text, language))])
    }
  }

  async #tellTitle(message: string): Promise<void> {
    if (this.#isTitled || message.trim() === '') return
    this.#isTitled = true
    const title = escapeControls(message.trim().split('\n')[0]?.slice(0, LONGEST_TITLE) ?? '')
    await this.#send([{ sessionUpdate: 'session_info_update', title }])
  }

  async #play(events: AsyncIterable<AgentEvent>): Promise<void> {
    for await (const event of events) {
      this.#seen++
      if (event.type === 'end') this.#reason = event.reason
      if (event.type === 'call_end') {
        for (const { path, after } of event.changes ?? []) if (after !== undefined) this.#unsaved?.wrote(path, after)
      }
      this.#sent = this.#view.see(event).then(async (updates) => this.#send(updates))
      await this.#sent
    }
  }

  async #send(updates: readonly SessionUpdate[]): Promise<void> {
    for (const update of updates) await this.options.client.update(update)
  }

  async #callFor(action: string, asked: string): Promise<AskedCall> {
    await this.#caughtUp()
    const call = this.#view.asking(action)
    const { id, title } = call ?? { id: this.#view.newId(), title: escapeControls(asked) }
    if (!call) {
      await this.#send([{ sessionUpdate: 'tool_call', toolCallId: id, title, kind: 'other', status: 'pending' }])
    }
    return {
      id, title,
      end: async (isAnswered) => this.#send([{
        sessionUpdate: 'tool_call_update', toolCallId: id, content: [],
        status: call ? 'in_progress' : isAnswered ? 'completed' : 'failed',
      }]),
    }
  }

  /** The call that is asked about has been told of when this resolves: its event was there before the question. */
  async #caughtUp(): Promise<void> {
    for (let seen = -1; seen !== this.#seen;) {
      seen = this.#seen
      await this.#sent
      await nextTurn()
    }
  }
}

/** The command that a message is; `undefined` for what is said to the model, paths among them. */
function offeredCommand(message: string): { name: string; argument: string } | undefined {
  const line = slashLine(message)
  if (line === undefined || !('command' in line)) return undefined
  const { command: { name }, argument } = line
  return OFFERED_COMMANDS.some((availableCommand) => availableCommand.name === name) ? { name, argument } : undefined
}

type ModeId = 'ask' | 'auto' | 'plan'
