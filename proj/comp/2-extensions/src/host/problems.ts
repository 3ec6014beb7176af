import type { Problem } from '../../../2-wire/src/index.js'
import { clip } from '../../../0-text/src/index.js'

/** Number of protocol errors after which the extension is stopped. */
export const MOST_PROBLEMS = 1000

/** Bytes of invalid output after which it is stopped; occasional prints are tolerated. */
export const MOST_LOST_BYTES = 16 * 2 ** 20

type Kind = Problem['kind'] | 'late'

const ABOUT: Readonly<Record<Kind, string>> = {
  late: 'changed the answer when its command had ended; that was refused, and what it had left before was used',
  unreadable: 'wrote something to its standard output that is no message (standard output belongs to the protocol: '
    + 'print to standard error)',
  'too-large': 'sent a message that is too large, which was not read (send what is large in pieces, or by a file)',
  unhandled: 'sent a message that hermes does not know',
  'unexpected-answer': 'answered a request that was not open, or answered twice',
  broken: 'broke the connection',
}

/** Collects protocol errors of an extension, so that the user is told once of each kind. */
export class Problems {
  readonly #firsts = new Map<Kind, { message: string; count: number }>()
  #count = 0

  /** @returns number of errors so far */
  add({ kind, message }: { kind: Kind; message: string }): number {
    const first = this.#firsts.get(kind)
    if (first) first.count++
    else this.#firsts.set(kind, { message, count: 1 })
    return ++this.#count
  }

  /** One line each, without the extension's name. */
  lines(): string[] {
    return [...this.#firsts].map(([kind, { message, count }]) => (
      `${ABOUT[kind]}${count > 1 ? `, ${count} times` : ''}: ${clip(message.replaceAll(/\s+/g, ' '), 200)}`
    ))
  }
}
