import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * `signed`: every line was signed with this user's key. `unsigned`: no line has a signature, as in early versions.
 * `forged`: a signature is wrong or missing, so a line was changed or signed with another key.
 */
export type Signature = 'signed' | 'unsigned' | 'forged'

const MAC = /^(.*),"mac":"([0-9a-f]{64})"\}$/s

/** Signature of a line: proves that it was written with the key, for this run, and right behind the previous line. */
function macOf(key: Uint8Array, runId: string, last: string, body: string): string {
  return createHmac('sha256', key).update(`hermes journal\n${runId}\n${last}\n${body}`).digest('hex')
}

/**
 * Signature of a file beside the log.
 *
 * @param name of the file
 */
export function macOfFile(key: Uint8Array, runId: string, name: string, content: string): string {
  return macOf(key, runId, `file ${name}`, content)
}

/**
 * @param line without its line break
 * @returns the line as it was signed, and its signature
 */
export function splitMac(line: string): { body: string; mac?: string } {
  const [, start, mac] = MAC.exec(line) ?? []
  return start === undefined || mac === undefined ? { body: line } : { body: `${start}}`, mac }
}

/** Whether a signature is valid for a line; compares in constant time. */
export function isMac(
  key: Uint8Array, runId: string, { last, body, mac }: Record<'last' | 'body' | 'mac', string>,
): boolean {
  return timingSafeEqual(Buffer.from(macOf(key, runId, last, body)), Buffer.from(mac))
}

/** Signs the lines of one run. */
export class LineSigner {
  /** @param last signature of the last written line; set it where the lines behind another were removed again */
  constructor(private readonly key: Uint8Array | undefined, private readonly runId: string, public last = '') {}

  /** @returns the line to write, and a function to call once it is written */
  sign(body: string): { line: string; done: () => void } {
    const key = this.key
    if (!key) return { line: body, done: () => undefined }
    const mac = macOf(key, this.runId, this.last, body)
    return {
      line: `${body.slice(0, -1)},"mac":"${mac}"}`,
      done: () => {
        this.last = mac
      },
    }
  }
}

/** Checks the signatures of the lines of one run, in their order. */
export class LineChecker {
  #last = ''
  #signed = 0
  #unsigned = 0
  #isWrong = false

  constructor(private readonly key: Uint8Array | undefined, private readonly runId: string) {}

  /**
   * Checks the next line.
   *
   * @returns the line without its signature
   */
  take(line: string): string {
    const { body, mac } = splitMac(line)
    if (mac === undefined) this.#unsigned++
    else {
      this.#signed++
      this.#isWrong ||= !this.key || !isMac(this.key, this.runId, { last: this.#last, body, mac })
      this.#last = mac
    }
    return body
  }

  /** Signature of the last line. */
  get last(): string {
    return this.#last
  }

  get signature(): Signature {
    if (this.#signed === 0) return 'unsigned'
    return this.#isWrong || this.#unsigned > 0 ? 'forged' : 'signed'
  }
}
