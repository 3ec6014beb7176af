import type { HermesError } from '../../../0-contracts/src/index.js'
import { bytesOfName, isOddName, nameOfBytes } from '../../../0-text/src/index.js'
import {
  expected, isEnd, lookedIn, namesIn, orMissing, requireOk, SftpStatus, unreachable, type Answer, type Looked,
} from './sftp-answers.js'
import { HeldPipe, PipeBroken, type PipedProgram } from './held-pipe.js'
import { attributes, Fields, OPEN, STATUS, string, TYPE, uint32, uint64, type Attributes } from './packets.js'

/** What every server takes in one message. */
const PIECE = 32 * 1024
/** Requests that are sent before the first of them is answered. */
const WINDOW = 64
/** A longer answer is none: servers send at most a piece, or a page of names. */
const LONGEST_ANSWER = 1 << 20
/** Most that the shell there may print before the server speaks. */
const MOST_NOISE = 256 * 1024
const VERSION = 3

type Request = readonly [type: number, body: Buffer]

/** A connection to the files of another host. Requests that do not need one another's answers cost one round trip. */
export class SftpClient {
  #lastId = 0
  readonly #closing: Request[] = []
  /** Why nothing more can be asked. */
  #broken: HermesError | undefined

  private constructor(
    private readonly pipe: HeldPipe,
    /** As in messages: `user@host`. */
    readonly host: string,
    private readonly extensions: ReadonlySet<string>,
  ) {}

  /** @throws HermesError `UNREACHABLE`; Node's error where the program cannot be started */
  static async connect(program: PipedProgram, host: string): Promise<SftpClient> {
    let pipe: HeldPipe | undefined
    try {
      pipe = await HeldPipe.open(program)
      const body = Buffer.concat([Buffer.of(TYPE.init), uint32(VERSION)])
      pipe.send(Buffer.concat([uint32(body.length), body]))
      return new SftpClient(pipe, host, await extensionsOf(pipe))
    } catch (error) {
      await pipe?.end()
      throw error instanceof PipeBroken ? unreachable(host, error.message) : error
    }
  }

  get isBroken(): boolean {
    return this.#broken !== undefined
  }

  async end(): Promise<void> {
    this.#broken ??= unreachable(this.host, 'the connection was closed')
    await this.pipe.end()
  }

  /** `undefined` where nothing is; links are not followed. */
  lstat(path: string): Attributes | undefined {
    return orMissing(() => this.#one(TYPE.lstat, pathBytes(path), TYPE.attrs).attributes())
  }

  /** As `lstat`, of several at once; what was refused comes as it is. */
  lookAt(paths: readonly string[]): Looked[] {
    return this.#all(paths.map((path) => [TYPE.lstat, pathBytes(path)])).map(lookedIn)
  }

  readlink(path: string): string {
    return this.#path(TYPE.readlink, path)
  }

  realpath(path: string): string {
    return this.#path(TYPE.realpath, path)
  }

  #path(type: number, path: string): string {
    const fields = this.#one(type, pathBytes(path), TYPE.name)
    fields.uint32()
    return nameOfBytes(fields.string())
  }

  /** Every entry but `.` and `..`, with what is known of it. */
  list(path: string): { name: string; attributes: Attributes }[] {
    const handle = this.#one(TYPE.opendir, pathBytes(path), TYPE.handle).string()
    const entries: { name: string; attributes: Attributes }[] = []
    try {
      // Asked for several at once: past the end there is nothing, again and again.
      for (let isAtEnd = false, ahead = 1; !isAtEnd; ahead = Math.min(WINDOW, ahead * 4)) {
        for (const answer of this.#all(Array.from({ length: ahead }, () => [TYPE.readdir, string(handle)]))) {
          if (isEnd(answer)) isAtEnd = true
          else entries.push(...namesIn(answer))
        }
      }
    } finally {
      this.#closeLater(handle)
    }
    // A name that is a path is none, whatever the server says.
    return entries.filter(({ name }) => name !== '.' && name !== '..' && name !== '' && !name.includes('/'))
  }

  /**
   * A file piece by piece, to its end.
   *
   * @param size as far as it is known; what is behind it is read too
   */
  *pieces(path: string, size: number): Generator<Buffer, void> {
    const open = Buffer.concat([pathBytes(path), uint32(OPEN.read), attributes({})])
    const handle = this.#one(TYPE.open, open, TYPE.handle).string()
    try {
      for (let at = 0, isAtEnd = false; !isAtEnd;) {
        // One more than there should be shows the end.
        const ahead = Math.max(1, Math.min(WINDOW, Math.ceil((size - at) / PIECE) + 1))
        const asked = Array.from({ length: ahead }, (_, n) => (
          [TYPE.read, Buffer.concat([string(handle), uint64(at + n * PIECE), uint32(PIECE)])] as const
        ))
        let isShort = false
        for (const answer of this.#all(asked)) {
          // What follows a short piece is asked for again, from where that ended.
          if (isEnd(answer)) isAtEnd ||= !isShort || at >= size
          else if (!isShort && !isAtEnd) {
            const piece = expected(answer, TYPE.data).string()
            isShort = piece.length < PIECE
            at += piece.length
            yield piece
          }
        }
      }
    } finally {
      this.#closeLater(handle)
    }
  }

  /**
   * Makes a new file and fills it. It is on the disk of the server when this returns, where the server can say so.
   *
   * @param mode what it is made with; otherwise as programs there make files
   * @param after attributes that it gets at last; what the server does not let us give is left out by `mayFail`
   */
  create(
    path: string, pieces: Iterable<Uint8Array>, mode: number | undefined, after: readonly AfterFill[],
  ): Attributes & { size: number } {
    const open = Buffer.concat([
      pathBytes(path), uint32(OPEN.write | OPEN.create | OPEN.exclusive),
      attributes({ mode }),
    ])
    const handle = this.#one(TYPE.open, open, TYPE.handle).string()
    let at = 0
    const waiting: Request[] = []
    try {
      for (const piece of pieces) {
        for (let from = 0; from < piece.length; from += PIECE) {
          const part = piece.subarray(from, from + PIECE)
          waiting.push([TYPE.write, Buffer.concat([string(handle), uint64(at), string(part)])])
          at += part.length
          if (waiting.length >= WINDOW) this.#all(waiting.splice(0)).forEach(requireOk)
        }
      }
    } catch (error) {
      this.#closeLater(handle)
      throw error
    }
    const first = waiting.length
    for (const { set } of after) waiting.push([TYPE.fsetstat, Buffer.concat([string(handle), attributes(set)])])
    const sync = 'fsync@openssh.com'
    if (this.extensions.has(sync)) waiting.push([TYPE.extended, Buffer.concat([string(sync), string(handle)])])
    const answers = this.#all([...waiting, [TYPE.fstat, string(handle)], [TYPE.close, string(handle)]])
    const [told] = answers.splice(-2, 1)
    answers.forEach((answer, index) => {
      if (after[index - first]?.mayFail !== true) requireOk(answer)
    })
    return { ...(told && expected(told, TYPE.attrs).attributes()), size: at }
  }

  setAttributes(path: string, set: Attributes): void {
    this.#done(TYPE.setstat, Buffer.concat([pathBytes(path), attributes(set)]))
  }

  makeDirectory(path: string): void {
    this.#done(TYPE.mkdir, Buffer.concat([pathBytes(path), attributes({})]))
  }

  remove(path: string): void {
    this.#done(TYPE.remove, pathBytes(path))
  }

  removeDirectory(path: string): void {
    this.#done(TYPE.rmdir, pathBytes(path))
  }

  /** Replaces what is at `to`, in one step. @throws SftpStatus `unsupported` where the server cannot do that */
  rename(from: string, to: string): void {
    if (this.extensions.has('posix-rename@openssh.com')) {
      const body = Buffer.concat([string('posix-rename@openssh.com'), pathBytes(from), pathBytes(to)])
      return this.#done(TYPE.extended, body)
    }
    if (this.lstat(to)) throw new SftpStatus(STATUS.unsupported, 'the server cannot replace a file in one step')
    this.#done(TYPE.rename, Buffer.concat([pathBytes(from), pathBytes(to)]))
  }

  #done(type: number, body: Buffer): void {
    for (const answer of this.#all([[type, body]])) requireOk(answer)
  }

  #one(type: number, body: Buffer, awaited: number): Fields {
    const [answer] = this.#all([[type, body]])
    if (!answer) throw this.#breaks('it sent no answer')
    return expected(answer, awaited)
  }

  /** With the next requests, so that nobody waits for it. */
  #closeLater(handle: Buffer): void {
    this.#closing.push([TYPE.close, string(handle)])
  }

  /** Sends all, then takes the answers: in the order of the requests, whatever order they come in. */
  #all(asked: readonly Request[]): Answer[] {
    if (this.#broken) throw this.#broken
    const closing = this.#closing.splice(0)
    const requests = [...closing, ...asked]
    const ids = requests.map(() => ++this.#lastId)
    const messages = requests.map(([type, body], index) => (
      Buffer.concat([uint32(body.length + 5), Buffer.of(type), uint32(ids[index] ?? 0), body])
    ))
    try {
      this.pipe.send(Buffer.concat(messages))
      const answers = new Map<number, Answer>()
      for (const _ of requests) {
        const length = this.pipe.receive(4).readUInt32BE(0)
        if (length < 5 || length > LONGEST_ANSWER) throw new PipeBroken('what it sent is no answer of SFTP')
        const message = this.pipe.receive(length)
        answers.set(message.readUInt32BE(1), { type: message.readUInt8(0), fields: new Fields(message, 5) })
      }
      return ids.slice(closing.length).map((id) => {
        const answer = answers.get(id)
        if (!answer) throw new PipeBroken('it answered what was not asked')
        return answer
      })
    } catch (error) {
      throw error instanceof PipeBroken ? this.#breaks(error.message) : error
    }
  }

  #breaks(why: string): HermesError {
    this.#broken ??= unreachable(this.host, why)
    return this.#broken
  }
}

/** What is set once a file is filled. */
export interface AfterFill {
  set: Attributes
  mayFail: boolean
}

/** Finds the first answer behind what the shell there prints. @throws PipeBroken */
async function extensionsOf(pipe: HeldPipe): Promise<ReadonlySet<string>> {
  for (;;) {
    const received = await pipe.peek()
    for (let at = 0; at + 9 <= received.length; at++) {
      const length = received.readUInt32BE(at)
      const isVersion = received.readUInt8(at + 4) === TYPE.version && received.readUInt32BE(at + 5) === VERSION
      if (!isVersion || length < 5 || length > LONGEST_ANSWER) continue
      pipe.skip(at)
      const fields = new Fields(pipe.receive(length + 4), 9)
      const extensions = new Set<string>()
      for (; !fields.isAtEnd; fields.string()) extensions.add(fields.string().toString('latin1'))
      return extensions
    }
    if (received.length > MOST_NOISE) throw new PipeBroken('the shell there prints too much before SFTP begins')
  }
}

function pathBytes(path: string): Buffer {
  return string(isOddName(path) ? bytesOfName(path) : path)
}
