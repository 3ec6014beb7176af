import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { isRecord } from '../../../0-contracts/src/index.js'
import { RPC } from '../../../2-wire/src/index.js'
import type { InitializeResult } from '../kit/index.js'
import { endsCommand, PlayedExtension } from './played-extension.js'
import { Fault, type WireMessage } from './strict-frames.js'

/** Why a trial does not apply to this extension. */
export class LeftOut extends Error {}

export interface Trial {
  /** The expected behaviour. */
  name: string
  /** @throws Fault, LeftOut */
  play: (extension: PlayedExtension, wanted: { command: string | undefined }) => Promise<void>
}

/** Milliseconds without a further request after which the open ones are answered. */
const GATHER_MS = 200
const UNKNOWN = 'hermes/noSuchMethod'
const MULTIBYTE = 'größer – 大きい 🙂'

/** Behaviour of hostile and unusual hosts, each tested with a process of its own. */
export const TRIALS: readonly Trial[] = [
  {
    name: 'introduces itself, and counts the bytes of its frames',
    play: async extension => void await extension.initialize(1),
  },
  {
    name: 'gives ids back as they came, texts too',
    play: async (extension) => {
      await extension.initialize('first')
      await isRefused(extension, '2')
    },
  },
  {
    name: 'reads frames that come byte by byte',
    play: async extension => void await extension.initialize(1, async (frame) => {
      for (const byte of frame) {
        await extension.write(Buffer.of(byte))
        await nextTurn()
      }
    }),
  },
  {
    name: 'reads frames that come together',
    play: async (extension) => {
      const unknown = PlayedExtension.frame({ id: 2, method: UNKNOWN, params: {} })
      await extension.initialize(1, async frame => extension.write(Buffer.concat([frame, unknown])))
      requireUnknown(await extension.answerTo(2, UNKNOWN))
    },
  },
  {
    name: 'takes lengths as bytes, not as characters',
    play: async (extension) => {
      await extension.initialize(1)
      await extension.send({ method: UNKNOWN, params: { text: MULTIBYTE } })
      await isRefused(extension, 2)
    },
  },
  {
    name: 'refuses methods that it does not know, by -32601',
    play: async (extension) => {
      await extension.initialize(1)
      await isRefused(extension, 2)
    },
  },
  {
    name: 'passes over notifications that it does not know',
    play: async (extension) => {
      await extension.initialize(1)
      await extension.send({ method: UNKNOWN, params: {} })
      await extension.send({ method: '$/cancelRequest', params: { id: 99 } })
      await extension.send({ method: 'command/execute', params: { command: UNKNOWN, executionId: 99 } })
      await isRefused(extension, 2)
    },
  },
  {
    name: 'goes on, or ends, after a message that is no JSON',
    play: async extension => survives(extension, frameOf('{nope', 5)),
  },
  { name: 'goes on, or ends, after a length that is too small', play: async extension => survives(extension, cut(-3)) },
  { name: 'goes on, or ends, after a length that is too large', play: async extension => survives(extension, cut(3)) },
  {
    name: 'says once when its command is done',
    play: async (extension, { command }) => {
      const [name, isAnnounced] = chosen(await extension.initialize(1), command)
      await execute(extension, name, 1)
      await isDone(extension, name, 1, isAnnounced)
      await isRefused(extension, 2)
      if (extension.has(endsCommand(1))) throw new Fault(
        `It said twice that ${name} is done`, 'Send command/finished once for each executionId.',
      )
    },
  },
  {
    name: 'matches answers by their ids, in whatever order they come',
    play: async (extension, { command }) => {
      const [name, isAnnounced] = chosen(await extension.initialize(1), command)
      const open: (() => Promise<void>)[] = []
      let gathering = new AbortController()
      extension.answer = async ({ id }, asHermes) => {
        gathering.abort()
        gathering = new AbortController()
        const answer = await asHermes()
        open.push(async () => extension.send({ id, ...answer }))
        if (!await sleep(GATHER_MS, true, { signal: gathering.signal }).catch(() => false)) return
        await extension.send({ method: UNKNOWN, params: {} })
        for (const give of open.splice(0).reverse()) await give()
      }
      await execute(extension, name, 1)
      await isDone(extension, name, 1, isAnnounced)
    },
  },
  {
    name: 'ends its command also where its requests are refused',
    play: async (extension, { command }) => {
      const [name, isAnnounced] = chosen(await extension.initialize(1), command)
      extension.answer = async ({ id }) =>
        extension.send({ id, error: { code: RPC.requestFailed, message: 'Refused by this trial' } })
      await execute(extension, name, 1)
      await isDone(extension, name, 1, isAnnounced)
      await isRefused(extension, 2)
    },
  },
  {
    name: 'carries a command out twice at once',
    play: async (extension, { command }) => {
      const [name, isAnnounced] = chosen(await extension.initialize(1), command)
      await execute(extension, name, 1)
      await execute(extension, name, 2)
      for (const id of [2, 1]) await isDone(extension, name, id, isAnnounced)
    },
  },
  {
    name: 'ends by shutdown while its command waits for an answer',
    play: async (extension, { command }) => {
      const [name] = chosen(await extension.initialize(1), command)
      extension.answer = async () => Promise.resolve()
      await execute(extension, name, 1)
      await shutsDown(extension)
    },
  },
  {
    name: 'ends by a shutdown that comes at once',
    play: async (extension) => {
      await extension.initialize(1)
      await shutsDown(extension)
    },
  },
  {
    name: 'ends when its standard input ends, since hermes is gone then',
    play: async (extension) => {
      await extension.initialize(1)
      extension.endInput()
      await extension.ended('the end of its standard input')
    },
  },
]

function frameOf(body: string, length: number): Buffer {
  return Buffer.from(`Content-Length: ${length}\r\n\r\n${body}`)
}

/** A notification whose length is wrong by `bytes`. */
function cut(bytes: number): Buffer {
  const body = JSON.stringify({ jsonrpc: '2.0', method: UNKNOWN, params: {} })
  return frameOf(body, body.length + bytes)
}

/** Input behind a broken frame may be lost, but an extension that neither answers nor exits hangs for ever. */
async function survives(extension: PlayedExtension, broken: Buffer): Promise<void> {
  await extension.initialize(1)
  await extension.write(broken)
  for (const id of [2, 3]) await extension.send({ id, method: UNKNOWN, params: {} })
  extension.endInput()
  await extension.ended('a broken frame and the end of its standard input')
}

async function isRefused(extension: PlayedExtension, id: number | string): Promise<void> {
  requireUnknown(await extension.request(id, UNKNOWN))
}

function requireUnknown({ error }: WireMessage): void {
  if (isRecord(error) && error['code'] === RPC.methodNotFound) return
  throw new Fault(
    `It did not refuse a method that nobody has, but answered ${JSON.stringify(error ?? 'a result')}`,
    'Answer {"id": …, "error": {"code": -32601, "message": "Unknown method: …"}}: '
      + 'later versions of hermes may ask for more.',
  )
}

/**
 * The command for the trials, and whether its end is announced.
 *
 * @throws LeftOut
 */
function chosen({ capabilities }: InitializeResult, wanted: string | undefined): [name: string, isAnnounced: boolean] {
  const name = wanted ?? capabilities?.commands?.[0]
  if (name === undefined) throw new LeftOut('it names no command in capabilities.commands; say which by --command')
  return [name, capabilities?.commandFinished === true]
}

async function execute(extension: PlayedExtension, command: string, executionId: number): Promise<void> {
  await extension.send({ method: 'command/execute', params: { command, executionId } })
}

async function isDone(extension: PlayedExtension, command: string, id: number, isAnnounced: boolean): Promise<void> {
  if (!isAnnounced) throw new LeftOut(
    'it does not announce capabilities.commandFinished, so nobody knows when it is done',
  )
  await extension.next(endsCommand(id), `say by command/finished that ${command} is done (executionId ${id})`)
}

async function shutsDown(extension: PlayedExtension): Promise<void> {
  await extension.request(2, 'shutdown', { reason: 'closing' })
  extension.endInput()
  await extension.ended('shutdown')
}
